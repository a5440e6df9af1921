import type { PageConfig } from '../config'

/**
 * The configuration in the document, with addresses as absolute ones: `base` ends with a slash, `api` does not. Read it
 * before the first navigation: the document gives addresses relative to where it was loaded.
 */
export function readConfig(page: Pick<Document, 'baseURI' | 'getElementById'>): PageConfig {
  const config: PageConfig = JSON.parse(page.getElementById('config')?.textContent ?? '{}')
  const path = (address: string) => new URL(address, page.baseURI).pathname
  const url = (address: string | null) => address && new URL(address, page.baseURI).href
  return {
    ...config,
    base: path(config.base),
    api: path(config.api).replace(/\/$/, ''),
    signInUrl: url(config.signInUrl),
    signOutUrl: url(config.signOutUrl),
  }
}
