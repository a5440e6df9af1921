/** The text without the password of the connection, however an error came by it. */
export function withoutSecrets(text: string, connection: string): string {
  return secretsOf(connection).reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
}

/** By hand, since the URL may be one that cannot be parsed. */
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
