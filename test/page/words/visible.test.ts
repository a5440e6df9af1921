import { hasUnseen, visible, visibleJson } from '../../../src/page/app/words/visible'

describe('invisible characters of a text', () => {
  it.each([
    ['N\u200bO', 'N[U+200B]O'],
    ['@\u202emoc.elpmaxe', '@[U+202E]moc.elpmaxe'],
    ['\u2068left\u2069 \u061cright', '[U+2068]left[U+2069] [U+061C]right'],
    ['a\u00adb\u2060c\ufeffd', 'a[U+00AD]b[U+2060]c[U+FEFF]d'],
    ['a\u00a0b\u2003c\u3000d', 'a[U+00A0]b[U+2003]c[U+3000]d'],
    ['a\tb\u0007c', 'a[U+0009]b[U+0007]c'],
    ['one\n  two\r\nthree\u2028four', 'one↵two↵three[U+2028]four'],
    ['a  b', 'a␣␣b'],
    ['in SE , NO .env', 'in SE␣, NO .env'],
    [' SE ', '␣SE␣'],
    ['Strategy “SE ” of “ NO”', 'Strategy “SE␣” of “␣NO”'],
    ['\u3164\u115f\u2800\u034f', '[U+3164][U+115F][U+2800][U+034F]'],
    ['A\ufe0fB\u{e0100}', 'A[U+FE0F]B[U+E0100]'],
    ['\u{1f3f4}\u{e0061}\u{e007f}', '\u{1f3f4}[U+E0061][U+E007F]'],
    ['می\u200cخواهم', 'می[U+200C]خواهم'],
    ['A\u200dB \u200d\u{1f680}', 'A[U+200D]B [U+200D]\u{1f680}'],
    ['25\u00a0%', '25[U+00A0]%'],
  ])('have a mark: %j', (text, signs) => {
    expect(visible(text)).toBe(signs)
  })

  it.each([
    'one word and another',
    '\u{1f468}\u{1f3fd}\u200d\u{1f680} \u{1f3f3}\ufe0f\u200d\u{1f308} \u2764\ufe0f\u200d\u{1f525} \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1\ufe0f\u20e3 葛\u{e0100}',
    'Ünïcöde עברית 漢字',
  ])('is nothing: %j', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('are escapes in JSON, with the same meaning', () => {
    const value = { 'a\u200b': 'SE ', b: 'x\u{e0001}  y', c: 'one\n  two', d: '“ \\" \u00a0', e: [1, ' '] }
    const json = visibleJson(JSON.stringify(value, null, 2))
    expect(JSON.parse(json)).toEqual(value)
    expect(json.split('\n').map((line) => line.trim())).toEqual([
      '{',
      '"a\\u200b": "SE\\u0020",',
      '"b": "x\\udb40\\udc01\\u0020\\u0020y",',
      '"c": "one\\n  two",',
      '"d": "“\\u0020\\\\\\"\\u0020\\u00a0",',
      '"e": [',
      '1,',
      '"\\u0020"',
      ']',
      '}',
    ])
  })

  it.each([
    ['SE ', true],
    [{ values: ['NO', 'N\u200bO'] }, true],
    [{ 'key ': 1 }, true],
    ['{\n    "a": 1\n}', false],
    [{ title: 'A B', list: [null, 1, true, ''] }, false],
  ])('is found in values and keys: %j', (value, found) => {
    expect(hasUnseen(value)).toBe(found)
  })
})
