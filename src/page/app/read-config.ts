import type { PageConfig } from '../config'

/**
 * The configuration in the document, with addresses as absolute paths: `base` ends with a slash, `api` does not. Read it
 * before the first navigation: the document gives addresses relative to where it was loaded.
 */
export function readConfig(page: Document): PageConfig {
  const config: PageConfig = JSON.parse(page.getElementById('config')?.textContent ?? '{}')
  const path = (address: string) => new URL(address, page.baseURI).pathname
  return { ...config, base: path(config.base), api: path(config.api).replace(/\/$/, '') }
}
