//! Source text split into code, comments and string literals, each kept on its own line.
//!
//! Not a parser: it knows where literals and comments begin and end, and nothing else.

use std::ops::Range;

/// One file's text, taken apart.
#[derive(Debug, Default, Clone)]
pub(super) struct Split {
    /// The text with every comment and every literal's content blanked; same length, same lines.
    pub(super) code: String,
    /// The contents of string literals, with the line each begins on.
    pub(super) strings: Vec<(usize, String)>,
    /// The contents of comments, with the line each begins on.
    pub(super) comments: Vec<(usize, String)>,
}

/// Splits Rust source.
pub(super) fn rust(text: &str) -> Split {
    let mut splitter = Splitter::new(text);
    while let Some(byte) = splitter.peek(0) {
        match byte {
            b'/' if splitter.peek(1) == Some(b'/') => splitter.line_comment(),
            b'/' if splitter.peek(1) == Some(b'*') => splitter.block_comment(true),
            b'r' if !splitter.continues_a_word() => splitter.raw_string(),
            b'"' => splitter.quoted(b'"'),
            b'\'' => splitter.char_or_lifetime(),
            _ => splitter.at += 1,
        }
    }
    splitter.finish()
}

/// Splits TypeScript source.
pub(super) fn typescript(text: &str) -> Split {
    let mut splitter = Splitter::new(text);
    // One entry per `${` that is open: how many braces stand open inside it.
    let mut inside: Vec<usize> = Vec::new();
    while let Some(byte) = splitter.peek(0) {
        match byte {
            b'/' if splitter.peek(1) == Some(b'/') => splitter.line_comment(),
            b'/' if splitter.peek(1) == Some(b'*') => splitter.block_comment(false),
            b'/' if splitter.regex_may_begin() => splitter.regex(),
            b'"' | b'\'' => splitter.quoted(byte),
            b'`' => {
                splitter.at += 1;
                splitter.template(&mut inside);
            }
            b'{' => {
                if let Some(open) = inside.last_mut() {
                    *open += 1;
                }
                splitter.at += 1;
            }
            b'}' => {
                splitter.at += 1;
                match inside.last_mut() {
                    Some(0) => {
                        inside.pop();
                        splitter.template(&mut inside);
                    }
                    Some(open) => *open -= 1,
                    None => (),
                }
            }
            _ => splitter.at += 1,
        }
    }
    splitter.finish()
}

/// Returns the line that `offset` is on, counted from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// Returns the range from the brace at or after `from` to the one that closes it.
///
/// `None` when a semicolon outside parentheses comes first, or the text ends.
pub(super) fn body(code: &str, from: usize) -> Option<Range<usize>> {
    let (mut nesting, mut depth, mut start) = (0_usize, 0_usize, None);
    for (offset, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' if start.is_none() => nesting += 1,
            b')' | b']' if start.is_none() => nesting = nesting.saturating_sub(1),
            b';' if start.is_none() && nesting == 0 => return None,
            b'{' => {
                start.get_or_insert(offset);
                depth += 1;
            }
            b'}' if depth == 1 => return start.map(|start| start..offset + 1),
            b'}' => depth = depth.saturating_sub(1),
            _ => (),
        }
    }
    None
}

/// Blanks `ranges` of `text`, keeping line breaks.
pub(super) fn blank(text: &str, ranges: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.iter_mut().take(range.end).skip(range.start) {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

struct Splitter<'a> {
    text: &'a str,
    at: usize,
    blanked: Vec<Range<usize>>,
    split: Split,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a str) -> Splitter<'a> {
        Splitter { text, at: 0, blanked: Vec::new(), split: Split::default() }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn before(&self, back: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at.checked_sub(back)?).copied()
    }

    fn content(&self, range: &Range<usize>) -> (usize, String) {
        let bytes = self.text.as_bytes().get(range.clone()).unwrap_or_default();
        (line_of(self.text, range.start), String::from_utf8_lossy(bytes).into_owned())
    }

    fn comment(&mut self, range: Range<usize>) {
        let content = self.content(&range);
        self.split.comments.push(content);
        self.blanked.push(range);
    }

    fn string(&mut self, range: Range<usize>) {
        let content = self.content(&range);
        self.split.strings.push(content);
        self.blanked.push(range);
    }

    fn line_comment(&mut self) {
        let start = self.at;
        while self.peek(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
        self.comment(start..self.at);
    }

    fn block_comment(&mut self, nests: bool) {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'*')) if nests || depth == 0 => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', Some(b'/')) => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        break;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.comment(start..self.at);
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                _ if byte == quote => break,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.text.len());
        self.string(start..end);
        self.at = end + 1;
    }

    /// `r` begins a word here: a raw string, a raw identifier, or just a word.
    fn raw_string(&mut self) {
        let mut hashes = 0;
        while self.peek(1 + hashes) == Some(b'#') {
            hashes += 1;
        }
        if self.peek(1 + hashes) != Some(b'"') {
            self.at += 1;
            return;
        }
        let start = self.at + hashes + 2;
        let close = format!("\"{}", "#".repeat(hashes));
        let rest = self.text.get(start..).unwrap_or_default();
        let end = rest.find(&close).map_or(self.text.len(), |length| start + length);
        self.string(start..end);
        self.at = end + close.len();
    }

    /// Whether the byte here goes on with an identifier; `br"` and `cr"` begin literals.
    fn continues_a_word(&self) -> bool {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        match self.before(1) {
            Some(b'b' | b'c') => self.before(2).is_some_and(is_word),
            Some(byte) => is_word(byte),
            None => false,
        }
    }

    fn char_or_lifetime(&mut self) {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let mut chars = rest.char_indices();
        let first = chars.next().map(|(_, c)| c);
        let second = chars.next();
        match (first, second) {
            (Some('\\'), _) => self.quoted(b'\''),
            (Some(_), Some((length, '\''))) => {
                self.blanked.push(self.at + 1..self.at + 1 + length);
                self.at += length + 2;
            }
            _ => self.at += 1,
        }
    }

    fn regex_may_begin(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default().trim_end();
        let word_ends = ["return", "typeof", "case", "of", "in"];
        before.chars().last().is_none_or(|c| "(,=:[!&|?{};+-*%<>~^".contains(c))
            || word_ends.iter().any(|word| before.ends_with(word))
    }

    fn regex(&mut self) {
        self.at += 1;
        let start = self.at;
        let mut in_class = false;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'\n' => break,
                b'/' if !in_class => break,
                _ => (),
            }
            self.at += 1;
        }
        let end = self.at.min(self.text.len());
        self.blanked.push(start..end);
        self.at = end + 1;
    }

    /// Inside a template literal: goes on to its end, or into the code of a `${`.
    fn template(&mut self, inside: &mut Vec<usize>) {
        let start = self.at;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) | (Some(b'`'), _) => {
                    self.string(start..self.at.min(self.text.len()));
                    self.at += 1;
                    return;
                }
                (Some(b'$'), Some(b'{')) => {
                    self.string(start..self.at);
                    self.at += 2;
                    inside.push(0);
                    return;
                }
                (Some(b'\\'), _) => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn finish(mut self) -> Split {
        self.split.code = blank(self.text, &self.blanked);
        self.split
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_rust_code_from_comments_and_literals() {
        let text = "let a = \"x // \\\" y\"; // note: call()\nlet b = r#\"raw \"q\" \"#; /* a /* b */ c */ call()\nlet c: &'static str = br\"z\"; let d = '\"'; let e = '\\'';\n";

        let split = rust(text);

        let strings: Vec<&str> = split.strings.iter().map(|(_, s)| s.as_str()).collect();
        assert_eq!(strings, ["x // \\\" y", "raw \"q\" ", "z", "\\'"]);
        let comments: Vec<(usize, &str)> =
            split.comments.iter().map(|(line, s)| (*line, s.as_str())).collect();
        assert_eq!(comments, [(1, "// note: call()"), (2, "/* a /* b */ c */")]);
        assert_eq!(split.code.len(), text.len());
        assert_eq!(split.code.matches("call()").count(), 1);
        assert!(split.code.contains("&'static str"));
    }

    #[test]
    fn tells_typescript_code_from_comments_literals_and_patterns() {
        let text = "const a = /[\"/]/.test(b); // c.click()\nconst d = `e ${f({g: `h`}).click()} i.click()`;\n";

        let split = typescript(text);

        assert_eq!(split.code.matches(".click()").count(), 1);
        assert_eq!(split.comments.len(), 1);
    }

    #[test]
    fn finds_the_body_of_a_function() {
        let code = "fn a(x: [u8; 2]) -> B { if c { d } else { e } } fn f();";

        let body = body(code, 0).unwrap();

        assert_eq!(&code[body], "{ if c { d } else { e } }");
        assert_eq!(super::body("fn f(); {}", 0), None);
    }
}
