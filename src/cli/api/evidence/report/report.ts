import { type Exception, type ExceptionKind, exceptionKinds } from '../exceptions'
import type { Manifest } from '../manifest'
import type { PersonRow } from '../people'
import { peopleColumns } from '../people'
import type { ZonedClock } from '../period'
import { type Html, html } from './html'
import { pageEnd, pageStart } from './page'
import { timeOf } from './request-section'
import { weeksChart } from './weeks-chart'

const titles: { readonly [Kind in ExceptionKind]: string } = {
  emergency: 'Applied in an emergency',
  'gate-skipped': 'Written without a change request',
  'own-approval': 'Approved own changes',
  'objection-dismissed': 'Objection dismissed',
  'approval-taken-back': 'Approval taken back',
  'freeze-passed': 'Written during a freeze',
  'trial-not-met': 'Rule on trial not met',
  overwrite: 'Overwrote a newer edit',
  'settings-lowered': 'Required approvals lowered',
  'settings-off': 'Change requests disabled',
  settled: 'Outcome stored by an operator',
  'no-gateway': 'Recorded without a flag gateway',
}

export type Head = Pick<Manifest, 'query' | 'release' | 'asOf'>

export interface Totals {
  readonly requests: number
  readonly settings: number
  readonly exceptions: { readonly [Kind in ExceptionKind]: number }
  readonly weeks: readonly { readonly week: string; readonly count: number }[]
}

export interface RequestFile {
  readonly name: string
  readonly first: number
  readonly last: number
}

/** The head of the report, up to the table of exceptions. */
export function reportStart({ query, release, asOf }: Head, { requests, settings, exceptions, weeks }: Totals): Html {
  const { from, to, zone, projects } = query
  const total = sumOf(exceptions)
  return html`${pageStart(`Evidence ${from} to ${to}`)}<h1>Change requests from ${from} to ${to}</h1>
<p>Whole days and times of ${zone}. ${projects.length === 0 ? 'All projects.' : `Projects: ${projects.join(', ')}.`} As of event ${asOf}. Made by release ${release}.</p>
<dl class="totals">
<div><dt>Exceptions</dt><dd>${total}</dd></div>
<div><dt>Change requests</dt><dd>${requests}</dd></div>
<div><dt>Changes of settings</dt><dd>${settings}</dd></div>
</dl>
<h2>Exceptions</h2>
${total === 0 ? html`<p class="none">There is no exception in this period.</p>\n` : exceptionsHead(exceptions, weeks)}`
}

function exceptionsHead(exceptions: Totals['exceptions'], weeks: Totals['weeks']): Html {
  return html`<p>Per week, by the Monday on which it begins.</p>
${weeksChart(weeks)}<div class="scroll" tabindex="0" role="region" aria-label="Exceptions by kind"><table>
<thead><tr><th>Kind</th><th class="number">Exceptions</th></tr></thead>
<tbody>
${exceptionKinds.flatMap((kind) => (exceptions[kind] === 0 ? [] : [html`<tr><td>${titles[kind]} <code>${kind}</code></td><td class="number">${exceptions[kind]}</td></tr>\n`]))}</tbody>
</table></div>
<h3>Each exception</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Each exception"><table>
<thead><tr><th>Kind</th><th>When</th><th>Who</th><th>Why</th><th class="number">Change request</th><th class="number">Event</th></tr></thead>
<tbody>
`
}

export function exceptionRow(one: Exception, clock: ZonedClock, files: readonly RequestFile[]): Html {
  const { kind, when, who, why, request, event } = one
  const file = request === null ? undefined : files.find(({ last }) => request <= last)
  const link = file && html`<a href="${file.name}#request-${request}">#${request}</a>`
  return html`<tr><td><span class="kind">${titles[kind]}</span></td><td>${timeOf(when, clock)}</td><td>${who}</td><td>${why}</td><td class="number">${link}</td><td class="number">${event}</td></tr>
`
}

/** The rest of the report, behind the table of exceptions. */
export function reportEnd(totals: Totals, people: readonly PersonRow[], files: readonly RequestFile[]): Html {
  return html`${sumOf(totals.exceptions) > 0 && html`</tbody>\n</table></div>\n`}<h2>Change requests</h2>
${
  files.length === 0
    ? html`<p>No change request has an event in this period.</p>\n`
    : html`<ul>
${files.map(({ name, first, last }) => html`<li><a href="${name}">#${first} to #${last}</a></li>\n`)}</ul>
`
}<h2>People and machines</h2>
<div class="scroll" tabindex="0" role="region" aria-label="People and machines"><table>
<thead><tr>${peopleColumns.map((name) => html`<th${isText(name) ? '' : numeric}>${name}</th>`)}</tr></thead>
<tbody>
${people.map((row) => html`<tr>${peopleColumns.map((name) => html`<td${isText(name) ? '' : numeric}>${row[name]}</td>`)}</tr>\n`)}</tbody>
</table></div>
${pageEnd}`
}

const numeric = html` class="number"`

function isText(column: (typeof peopleColumns)[number]): boolean {
  return column === 'kind' || column === 'name'
}

function sumOf(counts: Totals['exceptions']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
