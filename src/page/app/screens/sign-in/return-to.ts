/** The sign-in page of the host, with the address to return to. A path that a host could read as another origin is left out. */
export function withReturnTo(signInUrl: string, { pathname, search }: Pick<URL, 'pathname' | 'search'>, base: string) {
  const url = new URL(signInUrl)
  const isOwn = `${pathname}/`.startsWith(`${base}/`) && !pathname.startsWith('//')
  url.searchParams.set('returnTo', (isOwn ? pathname : `${base}/`) + search)
  return url.href
}
