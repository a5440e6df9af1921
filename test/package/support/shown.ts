export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** What stands for the rest of an object or a list, as its last member. */
const rest = '…'

/** Reads JSON in which `…` stands for the rest of an object or a list. */
export function parseShown(text: string): Json {
  return JSON.parse(text.replace(/…(?=\s*\})/g, `"${rest}": 0`).replace(/…(?=\s*\])/g, `"${rest}"`))
}

/** An answer without what is not shown of it. The mark stays only where it hides something. */
export function asShown(answer: Json | undefined, shown: Json | undefined): Json | undefined {
  if (Array.isArray(answer) && Array.isArray(shown)) {
    if (shown.at(-1) !== rest) return answer.map((item, index) => asShown(item, shown[index]) as Json)
    const some = answer.slice(0, shown.length - 1).map((item, index) => asShown(item, shown[index]) as Json)
    return some.length < answer.length ? [...some, rest] : some
  }
  if (!isObject(answer) || !isObject(shown)) return answer
  const all = Object.entries(answer)
  const some = rest in shown ? all.filter(([name]) => name in shown) : all
  const cut = Object.fromEntries(some.map(([name, value]) => [name, asShown(value, shown[name]) as Json]))
  return some.length < all.length ? { ...cut, [rest]: 0 } : cut
}

/** Whether a text is as shown, where `…` stands for any text, also over line ends. */
export function fitsShown(text: string, shown: string): boolean {
  const parts = shown.split(rest).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(text)
}

/** The same with what differs from run to run made equal. */
export function normalised(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<time>"')
    .replace(/"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"<uuid>"')
  return JSON.parse(text)
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
