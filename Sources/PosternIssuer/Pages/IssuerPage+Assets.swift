extension IssuerPage {
    static let script = Array("document.forms[0].submit();\n".utf8)

    static let style = Array(
        """
        :root {
          color-scheme: light dark;
          --ground: #f3f4f6; --card: #ffffff; --text: #16181d; --soft: #565c68; --line: #d5d9e0;
          --accent: #1f4fbf; --on-accent: #ffffff; --warn: #7a4a00; --warn-ground: #fff3d6;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101216; --card: #1a1d23; --text: #eef0f4; --soft: #a9b0bd; --line: #363c47;
            --accent: #9dbcff; --on-accent: #0d1730; --warn: #ffd27d; --warn-ground: #3a2c0c;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; min-height: 100vh; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--text);
          font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
        }
        header, main { max-width: 28rem; margin: 0 auto; }
        header { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; align-items: center; }
        .name { font-weight: 600; }
        .tests {
          padding: .1rem .65rem; border-radius: 1rem; background: var(--warn-ground); color: var(--warn);
          font-size: .8125rem;
        }
        main {
          margin-top: 1rem; padding: 1.75rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 1rem;
        }
        h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; }
        h2 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
        p { margin: 0 0 1.25rem; color: var(--soft); }
        .client, dd { overflow-wrap: anywhere; }
        .notice { padding: .75rem 1rem; border-radius: .625rem; background: var(--warn-ground); color: var(--warn); }
        .notice { overflow-wrap: anywhere; }
        .users { margin: 0; padding: 0; list-style: none; }
        .users li + li { margin-top: .625rem; }
        button { font: inherit; color: inherit; cursor: pointer; }
        .users button {
          display: flex; gap: .875rem; align-items: center; width: 100%; padding: .75rem .875rem; text-align: left;
          background: transparent; border: 1px solid var(--line); border-radius: .75rem;
        }
        .users button:hover { border-color: var(--accent); }
        button:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        .initial {
          flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--accent);
          color: var(--on-accent); font-weight: 600; line-height: 2.5rem; text-align: center;
        }
        .who { min-width: 0; }
        .person { display: block; font-weight: 600; overflow-wrap: anywhere; }
        .email { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
        .tag {
          display: inline-block; padding: 0 .5rem; border: 1px solid var(--line); border-radius: .75rem;
          color: var(--soft); font-size: .75rem;
        }
        .cancel, .go { width: 100%; margin-top: 1rem; padding: .625rem; border-radius: .75rem; }
        .cancel { background: transparent; border: 1px solid transparent; color: var(--accent); }
        .cancel:hover { border-color: var(--line); }
        .go { background: var(--accent); border: 1px solid var(--accent); color: var(--on-accent); font-weight: 600; }
        details { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; }
        summary { color: var(--soft); cursor: pointer; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .375rem 1rem; margin: .75rem 0 0; }
        dl { font-size: .875rem; }
        dt { color: var(--soft); }
        dd { margin: 0; }
        main > :last-child { margin-bottom: 0; }
        @media (max-width: 24rem) {
          body { padding: 1rem .5rem 2rem; }
          header { padding: 0 .5rem; }
          main { padding: 1.25rem 1rem; }
          h1 { font-size: 1.25rem; }
          .users button { gap: .75rem; padding: .625rem; }
          dl { grid-template-columns: 1fr; gap: 0; }
          dd { margin-bottom: .5rem; }
        }

        """.utf8)
}
