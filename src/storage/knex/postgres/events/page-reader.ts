import type { EventPage } from '../../../../ports/storage/events'
import {
  discardOnTimeout,
  type PostgresConnection,
  type PostgresConnections,
  type PostgresOptions,
} from '../connection'
import { CopyQuery, rowHeaderBytes } from './copy-query'
import { PageBuffer } from './page-buffer'
import { RowsQuery } from './rows-query'

/** A statement whose only column is an event with a leading comma and line feed. */
export interface PageStatement {
  readonly text: string
  readonly values: readonly string[]
  readonly reusePlan?: boolean
}

/** Reads pages of at most `limit` events. */
export interface PageReader {
  page(statement: PageStatement, limit: number): Promise<EventPage>
  /** The same by COPY, which takes half of the CPU time or less, but plans the statement each time. */
  copyPage(statement: PageStatement, limit: number): Promise<EventPage>
}

export function pageReader(
  { statementTimeoutMs }: PostgresOptions,
  { borrow, nameOf }: PostgresConnections,
): PageReader {
  /** The average size of an event on the last page, plus 5 %. */
  let bytesPerEvent = 1_024

  const read = (limit: number, fill: (connection: PostgresConnection, page: PageBuffer) => Promise<unknown>) =>
    borrow(async (connection) => {
      const buffer = new PageBuffer(Math.ceil(limit * bytesPerEvent))
      await discardOnTimeout(connection, fill(connection, buffer))
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
