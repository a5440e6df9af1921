export const broken = 'it does not compile'

const controls = new Map([...'afnrtv'].map((letter, index) => [letter, '\x07\f\n\r\t\v'.charCodeAt(index)]))
const classes = new Set('dDsSwW')
const posixClasses = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
)
const noAssertions: ReadonlySet<string> = new Set()

// Sticky: each is tried at one position only, so that the whole pattern is read once.
const property = /\\[pP](?:\{\^?(\w+)\}|(\w))/y
const hexadecimal = /\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,8})\})/y
const posixClass = /\[:\^?(\w+):\]/y

export class CharacterReader {
  protected readonly pattern: string
  protected position = 0
  /** The first problem; nothing is read behind it. */
  protected problem: string | undefined

  constructor(pattern: string) {
    this.pattern = pattern
  }

  /** Moves behind a match at the current position; undefined if there is none. */
  protected take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.position
    const match = expression.exec(this.pattern)
    if (match === null) return undefined
    this.position = expression.lastIndex
    return match
  }

  /** A class in brackets. At its start, `]` is a literal. */
  protected readClass(): void {
    this.position += this.pattern.startsWith('[^', this.position) ? 2 : 1
    for (let first = true; first || this.pattern[this.position] !== ']'; first = false) {
      if (this.position >= this.pattern.length) this.problem = broken
      else this.#readRange()
      if (this.problem !== undefined) return
    }
    this.position += 1
  }

  /** The code point of the character that is escaped; undefined for a class or an assertion. */
  protected readEscape(assertions: ReadonlySet<string>): number | undefined {
    const letter = this.pattern[this.position + 1]
    if (letter === undefined) return this.#fail(broken)
    if (letter === 'p' || letter === 'P') return this.#readProperty()
    if (letter === 'x') return this.#readHexadecimal()
    if ((letter >= '1' && letter <= '9') || letter === 'k') return this.#fail('a back reference is not supported')
    this.position += 2
    if (classes.has(letter) || assertions.has(letter)) return undefined
    if (isPunctuation(letter)) return letter.charCodeAt(0)
    return controls.get(letter) ?? this.#fail(`\\${letter} is not supported`)
  }

  /** A character, a range of characters, or a class in the brackets of a class. */
  #readRange(): void {
    const [named, name = ''] = this.take(posixClass) ?? []
    if (named !== undefined) {
      if (!posixClasses.has(name)) this.#fail(`${named.slice(0, 50)} is not supported`)
      return
    }
    const low = this.#readCharacter()
    const next = this.pattern[this.position + 1]
    const isRange = this.pattern[this.position] === '-' && next !== undefined && next !== ']'
    if (low === undefined || !isRange) return
    this.position += 1
    const high = this.#readCharacter()
    if (high === undefined || high < low) this.problem ??= broken
  }

  /** Its code point; undefined for a class such as `\d`. */
  #readCharacter(): number | undefined {
    if (this.pattern[this.position] === '\\') return this.readEscape(noAssertions)
    const character = this.pattern.codePointAt(this.position) ?? 0
    this.position += character > 0xffff ? 2 : 1
    return character
  }

  #readProperty(): undefined {
    const [text = this.pattern.slice(this.position, this.position + 2), long, short = ''] = this.take(property) ?? []
    return names.has(long ?? short) ? undefined : this.#fail(`${text.slice(0, 50)} is not supported`)
  }

  #readHexadecimal(): number | undefined {
    const [, two = '', any = two] = this.take(hexadecimal) ?? []
    const character = Number.parseInt(any, 16)
    return character <= 0x10ffff ? character : this.#fail(broken)
  }

  #fail(problem: string): undefined {
    this.problem = problem
    return undefined
  }
}

/** ASCII other than letters and digits: escaped, it stands for itself. */
function isPunctuation(character: string): boolean {
  return character < '\x80' && !/[\da-z]/i.test(character)
}

const categories =
  'Any C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs'

const scripts =
  'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo Brahmi ' +
  'Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform ' +
  'Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic ' +
  'Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew ' +
  'Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi ' +
  'Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian ' +
  'Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive ' +
  'Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu ' +
  'Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian ' +
  'Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician ' +
  'Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo ' +
  'Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan ' +
  'Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square'

const names = new Set(`${categories} ${scripts}`.split(' '))
