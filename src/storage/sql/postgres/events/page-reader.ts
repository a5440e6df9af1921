import type { EventPage } from '../../../../ports/storage/events'
import type { PostgresConnections, PostgresOptions, QueryResult } from '../connection'
import { discardOnTimeout, type PostgresConnection } from '../handle'
import { PageBuffer } from './page-buffer'
import { CopyQuery, RowsQuery, rowHeaderBytes } from './queries'

/** A statement whose only column is an event with a leading comma and line feed. */
export interface PageStatement {
  readonly text: string
  readonly values: readonly string[]
  readonly reusePlan?: boolean
}

export interface PageReader {
  page(statement: PageStatement, limit: number): Promise<EventPage>
  /** The same by COPY, which takes half of the CPU time or less, but plans the statement each time. */
  copyPage(statement: PageStatement, limit: number): Promise<EventPage>
}

/** Without the classes of {@link pageReader}, where the connection is not one of pg. */
export function plainPageReader({ borrow }: Pick<PostgresConnections, 'borrow'>): PageReader {
  const page: PageReader['page'] = ({ text, values }) =>
    borrow(async (connection) => {
      const { rows } = (await connection.query({ text, values, isText: true })) as QueryResult
      const buffer = new PageBuffer(0)
      for (const row of rows) buffer.appendText(Object.values(row)[0] as string)
      return buffer.toPage()
    })
  return { page, copyPage: page }
}

export function pageReader<Transaction>(
  { handle, statementTimeoutMs }: Pick<PostgresOptions<Transaction>, 'handle' | 'statementTimeoutMs'>,
  { borrow, nameOf }: PostgresConnections,
): PageReader {
  /** The average size of an event on the last page, plus 5 %. */
  let bytesPerEvent = 1_024

  const read = (limit: number, fill: (connection: PostgresConnection, page: PageBuffer) => Promise<unknown>) =>
    borrow(async (connection) => {
      const buffer = new PageBuffer(Math.ceil(limit * bytesPerEvent))
      await discardOnTimeout(handle, connection, fill(connection, buffer))
      const page = buffer.toPage()
      if (page.count > 0) bytesPerEvent = (page.json.length / page.count) * 1.05
      return page
    })

  return {
    page: ({ text, values, reusePlan = false }, limit) =>
      read(limit, (connection, page) => {
        const request = { ...nameOf(text, reusePlan), text, values }
        return new RowsQuery(request, statementTimeoutMs, (row) => page.appendText(row)).run(connection)
      }),
    copyPage: ({ text, values }, limit) =>
      read(limit, (connection, page) => {
        const literal = (position: string) => connection.escapeLiteral(values[Number(position) - 1] ?? '')
        // COPY takes no parameters.
        const select = text.replace(/\$(\d)/g, (_, position) => literal(position))
        const onRow = (message: Buffer) => page.appendWithoutHeader(message, rowHeaderBytes)
        return new CopyQuery(select, statementTimeoutMs, onRow).run(connection)
      }),
  }
}
