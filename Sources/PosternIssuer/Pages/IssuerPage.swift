internal import PosternBase
internal import PosternHTTP

/// A page of the issuer: plain HTML that needs no script.
struct IssuerPage {
    /// Where forms of a page may lead, the redirects that follow included.
    enum FormTarget {
        case nowhere
        case here
        /// To an app, which may send the browser on to wherever it likes, also to schemes of its own: a list of targets would stop
        /// it there.
        case anywhere
    }

    let title: String
    let main: HTML
    var forms = FormTarget.nowhere
    var hasScript = false

    func response(status: Int = 200) -> HTTP.Response {
        .make(
            Array(document.source.utf8), status: status, type: "text/html; charset=utf-8",
            fields: [
                ("Content-Security-Policy", policy),
                // An app may want to see in `Origin` that an answer is from here.
                ("Referrer-Policy", "strict-origin"),
            ])
    }

    private var policy: String {
        var parts = ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
        if hasScript { parts.append("script-src 'self'") }
        switch forms {
        case .nowhere: parts.append("form-action 'none'")
        case .here: parts.append("form-action 'self'")
        case .anywhere: break
        }
        return parts.joined(separator: "; ")
    }

    private var document: HTML {
        let script: HTML? = hasScript ? "<script src=\"/submit.js\" defer></script>\n" : nil
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <link rel="stylesheet" href="/style.css">
            \(script)</head>
            <body>
            <header><span class="name">Postern test issuer</span> <strong class="tests">For tests only</strong></header>
            <main>
            \(main)
            </main>
            </body>
            </html>

            """
    }
}
