import { splitLinks } from '../../../src/page/app/words/links'

const linksIn = (text: string) => splitLinks(text).flatMap((piece) => (piece.isLink ? [piece.text] : []))

describe('addresses in a text', () => {
  it.each<[text: string, ...links: string[]]>([
    ['https://example.com', 'https://example.com'],
    ['HTTP://Example.COM/A', 'HTTP://Example.COM/A'],
    ['http://localhost:4242/projects?a=1&b=%20#top', 'http://localhost:4242/projects?a=1&b=%20#top'],
    ['https://[::1]:80/a', 'https://[::1]:80/a'],
    ['See https://example.com/a.', 'https://example.com/a'],
    ['https://example.com/a, https://example.com/b;', 'https://example.com/a', 'https://example.com/b'],
    ['Why?! (https://example.com/a)?!...', 'https://example.com/a'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ['"https://example.com/a"', 'https://example.com/a'],
    ["'https://example.com/a'", 'https://example.com/a'],
    ['[a](https://example.com/a)', 'https://example.com/a'],
    ['{https://example.com/a}', 'https://example.com/a'],
    ['https://example.com/Rust_(language)', 'https://example.com/Rust_(language)'],
    ['(https://example.com/Rust_(language)).', 'https://example.com/Rust_(language)'],
    ['https://example.com/a...b', 'https://example.com/a...b'],
    ['https://example.com/Straße', 'https://example.com/Straße'],
    ['first\nhttps://example.com/a\nlast', 'https://example.com/a'],
    ['https://example.com/?to=https://example.org', 'https://example.com/?to=https://example.org'],
  ])('%j', (text, ...links) => {
    expect(linksIn(text)).toEqual(links)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://example.com',
    '//example.com',
    'www.example.com',
    'https:/example.com',
    'https:\\\\example.com',
    'https://',
    'https://.',
    'xhttps://example.com',
  ])('%j is none', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  it.each([
    ['a user before the host', 'https://bank.example@evil.example/'],
    ['a user and a password', 'https://bank.example:443@evil.example/'],
    ['letters of another alphabet', 'https://bаnk.example/'],
    ['letters that are converted', 'https://ｅxample.com/'],
    ['a host as a number', 'https://2130706433/'],
    ['an invalid port', 'https://example.com:99999/'],
    ['a percent sign in the host', 'https://ex%61mple.com/'],
  ])('with %s do not link to a host other than the visible one', (_, text) => {
    for (const link of linksIn(text)) expect(new URL(link).origin).toBe(new URL(text).origin)
    expect(linksIn(text)).not.toContain(text)
  })

  it.each(['\u202e', '\u2066', '\u00ad', '\u200b', '\u0000', '\u00a0', '\ud800', '\n', '\t'])(
    'end before %j',
    (character) => {
      expect(linksIn(`https://example.com/a${character}moc.live`)).toEqual(['https://example.com/a'])
    },
  )

  it('keep every character of the text', () => {
    const text = 'a https://x.org/(b), "https://y.org"\u202e https://z@w (https://v.org/[u])\r\n'
    expect(
      splitLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  it.each(['https://a.b/(', 'https://a.b/....', 'https://a.b/((((', '(https://a.b/)', 'https://[', "https://a'"])(
    'are found in linear time in many of %j',
    (text) => {
      const long = text.repeat(200_000 / text.length)
      const stretched = text + text.slice(-1).repeat(200_000)
      // Quadratic time would exceed the time limit of a test by far.
      for (const one of [long, stretched, `${stretched} `]) expect(splitLinks(one).length).toBeGreaterThan(0)
    },
  )
})
