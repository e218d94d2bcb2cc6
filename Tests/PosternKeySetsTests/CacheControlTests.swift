import PosternHTTP
import PosternKeySets
import Testing

@Suite struct CacheControlTests {
}
