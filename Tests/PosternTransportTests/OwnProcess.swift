import Testing

/// Tests whose body runs in a process of its own. While it runs, the testing library holds a thread of the pool of tasks,
/// which may have only two: one such test at a time leaves the other tests theirs.
@Suite(.serialized) enum OwnProcess {}
