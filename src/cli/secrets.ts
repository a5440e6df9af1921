/** Removes the passwords of these connections and URLs from a text, also if they are percent-encoded. */
export function withoutSecrets(text: string, connections: readonly string[]): string {
  return connections.flatMap(secretsOf).reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
}

/** Without a URL parser, because the URL may be malformed. */
function secretsOf(connection: string): string[] {
  const [, inside] = /^[^/]*:\/\/[^:/?#]*:(.*)@/.exec(connection) ?? []
  const [, asParameter] = /[?&]password=([^&#]*)/.exec(connection) ?? []
  return [inside, asParameter]
    .filter((secret) => secret !== undefined && secret !== '')
    .flatMap((secret) => [secret as string, decoded(secret as string)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
