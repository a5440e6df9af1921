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

function missingIn(review: ReviewView): readonly { readonly code: string; readonly message: string }[] {
  return nextStep(review)?.missing ?? []
}

/** True while a required check has not passed: no event reports when it does. */
export function waitsForCheck(review: ReviewView): boolean {
  return missingIn(review).some(({ code }) => code === 'missing-check')
}

export function stateLine(review: ReviewView): string {
  const missing = missingIn(review).map(({ message }) => message)
  return [`#${review.id} ${review.state}`, ...(missing.length === 0 ? [] : [missing.join(' ')])].join(': ')
}

export function reviewLines({ requirements, steps }: ReviewView): string[] {
  const approvals = requirements.map(({ name, given, approvals }) => [
    name,
    `${given ?? '?'} of ${approvals} approvals`,
    '',
  ])
  const offered = steps
    .filter((one) => one.offered)
    .map(({ step, allowed, missing }) => {
      return [step, allowed ? 'allowed' : 'blocked', missing.map(({ message }) => message).join(' ')]
    })
  const rows = [...approvals, ...offered]
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const [first, second] = [width(0), width(1)]
  return rows.map(([a = '', b = '', c = '']) => `  ${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`.trimEnd())
}

export type Report = ReturnType<typeof createReport>

/** Prints progress, and the result: as text on stdout, or with `--json` as one object. */
export function createReport(io: ProcessIo, api: Api, isJson = false) {
  return {
    progress(text: string): void {
      const line = `${printable(text)}\n`
      if (isJson) io.error(line)
      else io.out(line)
    },
    /** Prints where the change request is, once the command has ended. */
    result({ project, id }: Place, review: ReviewView | undefined): void {
      const url = api.urlOf({ project, id }, review)
      const missing = review === undefined ? [] : missingIn(review)
      io.out(isJson ? `${JSON.stringify({ id, url, state: review?.state ?? null, missing })}\n` : `${url}\n`)
      const summary = io.env.GITHUB_STEP_SUMMARY
      if (!summary) return
      const lines = missing.map(({ message }) => `- ${escaped(message)}`)
      const title = `### Change request [#${id}](${url}): ${review?.state ?? 'discarded'}`
      appendFileSync(summary, [title, '', ...lines, ''].join('\n'))
    },
  }
}

function escaped(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#|~!&]/g, '\\$&')
}
