import { ChangeRequestError } from '../../src/errors'

/** The error that `run` throws. */
export function rejection(run: () => unknown): ChangeRequestError {
  try {
    run()
  } catch (error) {
    if (ChangeRequestError.is(error)) return error
    throw error
  }
  throw new Error('nothing was rejected')
}

/** Expects a BadDataError with one detail. */
export function expectRejected(parse: (body: unknown) => unknown, body: unknown, path: string, message: string): void {
  const error = rejection(() => parse(body))
  expect(error).toMatchObject({
    name: 'BadDataError',
    message: 'The input is not valid; see details for what is wrong with it.',
  })
  expect(error.details).toEqual([{ path, message: expect.stringContaining(message) }])
}

type Row = readonly [body: unknown, path: string, message: string]

/** Adds a short title to each row: the start of its body. */
export function labelled(rows: readonly Row[]) {
  return rows.map((row) => [JSON.stringify(row[0]).slice(0, 80), ...row] as const)
}
