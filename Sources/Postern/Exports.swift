// One import for the users of the library: members are visible only where their module is imported, so each module with
// something public is handed on.

@_exported public import PosternBase
@_exported public import PosternHTTP
@_exported public import PosternJOSE
@_exported public import PosternKeySets
@_exported public import PosternTokens
@_exported public import PosternTransport
