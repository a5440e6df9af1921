export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const takesValue = new Set(['-X', '-H', '-d'])

/** Reads a curl command as a shell would: quotes, line continuations, and `$NAME` from `variables`. */
export function parseCurl(command: string, variables: Readonly<Record<string, string>> = {}): CurlRequest {
  const [name, ...words] = shellWords(command.replace(/\\\n\s*/g, ' '), variables)
  if (name !== 'curl') throw new Error(`Not a curl command: ${command}`)
  const headers: Record<string, string> = {}
  const given: { '-X'?: string; '-d'?: string } = {}
  let url: string | undefined
  let option: string | undefined
  for (const word of words) {
    if (option === '-H') headers[word.slice(0, word.indexOf(':'))] = word.slice(word.indexOf(':') + 1).trim()
    else if (option === '-X' || option === '-d') given[option] = word
    else if (!word.startsWith('-')) url = word
    option = option === undefined && takesValue.has(word) ? word : undefined
  }
  const { '-X': method, '-d': body } = given
  if (url === undefined) throw new Error(`Without an address: ${command}`)
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers,
    ...(body === undefined ? {} : { body }),
  }
}

/** Sends the request to another server than the one that it names. */
export async function sendTo(base: string, { method, url, headers, body }: CurlRequest): Promise<Response> {
  const { pathname, search } = new URL(url)
  return fetch(`${base}${pathname}${search}`, { method, headers, ...(body === undefined ? {} : { body }) })
}

function shellWords(text: string, variables: Readonly<Record<string, string>>): string[] {
  const expand = (part: string) =>
    part.replace(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`$${name} is not set.`)
      return value
    })
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single, double, bare) => single ?? expand(double ?? bare)),
  )
}
