/** What the links in events and responses are made of. */
export interface LinkOptions {
  /** The address of the review page; empty without the option. */
  readonly pageUrl: string
  readonly links: LinkTemplates
}

/**
 * Where your app shows a flag and a project, for the links in the summaries of events. `{project}` and `{flag}` are replaced by
 * the names, URL-encoded.
 *
 * @example
 * ```ts
 * const links: LinkTemplates = {
 *   flag: 'https://flags.example/projects/{project}/flags/{flag}',
 *   project: 'https://flags.example/projects/{project}',
 * }
 * ```
 */
export interface LinkTemplates {
  /** The address of a flag, with `{flag}` and `{project}`. */
  readonly flag?: string
  /** The address of a project, with `{project}`. */
  readonly project?: string
}

/** The placeholders of each template. */
export const linkPlaceholders: { readonly [Name in keyof LinkTemplates]-?: readonly string[] } = {
  flag: ['project', 'flag'],
  project: ['project'],
}

/** The address of a change request on the review page. Without an option `pageUrl` it is the path of Unleash. */
export function changeRequestLink({ pageUrl }: LinkOptions, project: string, id: number): string {
  return `${pageUrl}${projectPath(project)}/change-requests/${id}`
}

/** A change request on the review page, for a response; nothing without the option `pageUrl`. */
export function pageLink(
  options: LinkOptions,
  { project, id }: { readonly project: string; readonly id: number },
): Link {
  return options.pageUrl === '' ? {} : { url: changeRequestLink(options, project, id) }
}

/** Where a change is proposed on the review page, for a response; nothing without the option `pageUrl`. */
export function proposalLink(
  { pageUrl }: LinkOptions,
  { project, environment }: { readonly project: string; readonly environment?: string | undefined },
): Link {
  return pageUrl === '' ? {} : { url: `${pageUrl}/new?${query({ project, environment })}` }
}

interface Link {
  readonly url?: string
}

/** Undefined if the address has a project and the flag has none. */
export function flagLink(
  { pageUrl, links }: LinkOptions,
  flag: string,
  { project, environment }: { readonly project: string | null; readonly environment: string | null },
): string | undefined {
  if (links.flag !== undefined && (project !== null || !links.flag.includes('{project}'))) {
    return filled(links.flag, { flag, project: project ?? '' })
  }
  if (project === null) return undefined
  if (pageUrl === '') return `${projectPath(project)}/features/${segment(flag)}`
  const place = environment === null ? '' : `?${query({ environment })}`
  return `${pageUrl}${projectPath(project)}/flags/${segment(flag)}${place}`
}

/** The review page has no screen for a project, so it is the list of its change requests. */
export function projectLink({ pageUrl, links }: LinkOptions, project: string): string {
  if (links.project !== undefined) return filled(links.project, { project })
  return pageUrl === '' ? projectPath(project) : `${pageUrl}/?${query({ needs: 'all', project })}`
}

function filled(template: string, names: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => segment(names[name] ?? ''))
}

function projectPath(project: string): string {
  return `/projects/${segment(project)}`
}

function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((one): one is [string, string] => one[1] !== undefined)
  return given.map(([name, value]) => `${name}=${segment(value)}`).join('&')
}

/** Encodes also the characters that encodeURIComponent leaves unescaped and that would end a markdown link. */
function segment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
