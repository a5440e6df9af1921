import { appendFileSync } from 'node:fs'
import { closedStates } from '../../domain/lifecycle'
import type { ReviewView } from '../../generated/index'
import { type ProcessIo, printable } from '../command'
import type { Api, Place } from './api'

/** The next step in the life of a change request; undefined once it is closed. */
function nextStep({ state, steps }: ReviewView): ReviewView['steps'][number] | undefined {
  if (closedStates.includes(state)) return undefined
  const submit = steps.find(({ step }) => step === 'submit')
  return submit?.offered ? submit : steps.find(({ step }) => step === 'apply')
}

export function missingIn(review: ReviewView): readonly { readonly code: string; readonly message: string }[] {
  return nextStep(review)?.missing ?? []
}

export function stateLine(review: ReviewView): string {
  const missing = missingIn(review).map(({ message }) => message)
  return [`#${review.id} ${review.state}`, ...(missing.length === 0 ? [] : [missing.join(' ')])].join(': ')
}

export function reviewLines({ requirements, steps }: ReviewView): string[] {
  const approvals = requirements.map(({ name, given, approvals }) => [name, `${given} of ${approvals} approvals`, ''])
  const offered = steps
    .filter((one) => one.offered)
    .map(({ step, allowed, missing }) => [
      ...[step, allowed ? 'allowed' : 'blocked', missing.map(({ message }) => message).join(' ')],
    ])
  const rows = [...approvals, ...offered]
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const [first, second] = [width(0), width(1)]
  return rows.map(([a = '', b = '', c = '']) => `  ${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`.trimEnd())
}

/** Prints progress, and the result: as text on stdout, or with `--json` as one object. */
export class Report {
  readonly #io: ProcessIo
  readonly #api: Api
  readonly #isJson: boolean

  constructor(io: ProcessIo, api: Api, isJson: boolean) {
    this.#io = io
    this.#api = api
    this.#isJson = isJson
  }

  progress(text: string): void {
    const line = `${printable(text)}\n`
    if (this.#isJson) this.#io.error(line)
    else this.#io.out(line)
  }

  /** Prints where the change request is, once the command has ended. */
  result(place: Place, review: ReviewView | undefined): void {
    const url = this.#api.urlOf(place)
    const missing = review === undefined ? [] : missingIn(review)
    const state = review?.state ?? null
    if (this.#isJson) this.#io.out(`${JSON.stringify({ id: place.id, url, state, missing })}\n`)
    else this.#io.out(`${url}\n`)
    const summary = this.#io.env.GITHUB_STEP_SUMMARY
    if (summary) appendFileSync(summary, toMarkdown(place, url, review))
  }
}

function toMarkdown({ id }: Place, url: string, review: ReviewView | undefined): string {
  const lines = (review === undefined ? [] : missingIn(review)).map(({ message }) => `- ${escaped(message)}`)
  const state = review === undefined ? 'discarded' : review.state
  return [`### Change request [#${id}](${url}): ${state}`, '', ...lines, ''].join('\n')
}

function escaped(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#|~!&]/g, '\\$&')
}
