import type { RouteDescription } from '../../http/route-description'
import type { Parameter } from '../../validation/queries/query-parameter'

export const ifNoneMatch: Readonly<Record<string, Parameter>> = {
  'If-None-Match': {
    description: 'The entity tag of an earlier response. The response is 304 if there is nothing new.',
    schema: { type: 'string' },
  },
}

export const lastEventId: Readonly<Record<string, Parameter>> = {
  'Last-Event-ID': {
    description: 'With `Accept: text/event-stream`, the stream begins after this id. 0 begins with the oldest event.',
    schema: { type: 'string', pattern: '^\\d{1,16}$' },
  },
}

/** The formats that `Accept` selects besides JSON. */
export const otherMediaTypes: NonNullable<RouteDescription['answer']['also']> = {
  'application/x-ndjson': {
    schema: {
      type: 'string',
      description:
        'All events that fit, however many, one a line, each as it stands in the JSON answer. The last line is no ' +
        'event but `{"trailer":{"count":…,"firstId":…,"lastId":…}}`; an answer without it was cut off.',
    },
  },
  'text/csv': {
    schema: {
      type: 'string',
      description:
        'The same as rows of RFC 4180 below a row of names. The last row is `#trailer,count,firstId,lastId` and empty ' +
        'cells. What a spreadsheet program would take for a formula has an apostrophe in front, also behind `;`, tab and ' +
        'line break in a text. In JSON text `;` is written as `\\u003b`.',
    },
  },
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'A stream of the events, each a message with its id, and heartbeats that only move the last event id.',
    },
  },
}
