//! What a solver writes, as a tree; the tree is kept in one table, so that no depth is too great for the stack.

use std::ops::Range;

/// Expressions of one text.
pub(crate) struct Reply {
    text: String,
    nodes: Vec<Node>,
    root: usize,
}

enum Node {
    Word(Range<usize>),
    List(Vec<usize>),
}

/// One level of an expression.
pub(crate) enum Expr<'a> {
    Word(&'a str),
    List(&'a [usize]),
}

impl Reply {
    /// The tree of a text that is one expression.
    pub fn parse(text: String) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut nodes = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            at += 1;
            let node = match byte {
                b'(' => {
                    open.push(Vec::new());
                    continue;
                }
                b')' => Node::List(open.pop().filter(|_| !open.is_empty())?),
                b'|' | b'"' => {
                    at += 1 + bytes[at..].iter().position(|other| *other == byte)?;
                    Node::Word(start..at)
                }
                _ if byte.is_ascii_whitespace() => continue,
                _ => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()|\"".contains(byte);
                    at += bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                    Node::Word(start..at)
                }
            };
            nodes.push(node);
            open.last_mut()?.push(nodes.len() - 1);
        }
        match open.as_slice() {
            [top] if top.len() == 1 => {
                let root = top[0];
                Some(Self { text, nodes, root })
            }
            _ => None,
        }
    }

    pub fn root(&self) -> usize {
        self.root
    }

    pub fn at(&self, node: usize) -> Expr<'_> {
        match &self.nodes[node] {
            Node::Word(range) => Expr::Word(&self.text[range.clone()]),
            Node::List(items) => Expr::List(items),
        }
    }

    pub fn word(&self, node: usize) -> Option<&str> {
        match self.at(node) {
            Expr::Word(word) => Some(word),
            Expr::List(_) => None,
        }
    }

    pub fn list(&self, node: usize) -> Option<&[usize]> {
        match self.at(node) {
            Expr::List(items) => Some(items),
            Expr::Word(_) => None,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_one_root() {
        for text in ["", "a b", "(a", "a)", ")(", "()()", "|a"] {
            assert!(Reply::parse(text.to_owned()).is_none(), "{text}");
        }
        let reply = Reply::parse("((x (|a b| \"c)\")) 5)".to_owned()).expect("an expression");
        let top = reply.list(reply.root()).expect("a list");
        assert_eq!(reply.word(top[1]), Some("5"));
        let pair = reply.list(top[0]).expect("a list");
        let inner = reply.list(pair[1]).expect("a list");
        assert_eq!((reply.word(inner[0]), reply.word(inner[1])), (Some("|a b|"), Some("\"c)\"")));
        let deep = format!("{}x{}", "(".repeat(200_000), ")".repeat(200_000));
        assert!(Reply::parse(deep).is_some());
    }
}
