// A name service for tests that hangs: names under "hangs.invalid" are not answered before they are released.
#ifndef POSTERN_TEST_RESOLVER_H
#define POSTERN_TEST_RESOLVER_H

// How many threads wait for such a name.
int postern_test_resolver_waiting(void);
// Lets all of them, and all that come later, go on; they find no address.
void postern_test_resolver_release(void);

#endif
