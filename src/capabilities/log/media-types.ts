import type { RouteDescription } from '../../http/route'
import type { Parameter } from '../../validation/queries/query-parameter'

export const ifNoneMatch: Readonly<Record<string, Parameter>> = {
  'If-None-Match': {
    description: 'The entity tag of an earlier response. The response is 304 if there is nothing new.',
    schema: { type: 'string' },
  },
}

export const lastEventId: Readonly<Record<string, Parameter>> = {
  'Last-Event-ID': {
    description:
      'With `Accept: text/event-stream`, the stream begins after this id of an earlier stream. The number of an event is also ' +
      'accepted; 0 begins with the oldest event.',
    schema: { type: 'string', pattern: '^\\d{1,16}(-[0-9a-f]{8})?$' },
  },
}

/** The formats that `Accept` selects besides JSON. */
export const otherMediaTypes: NonNullable<RouteDescription['answer']['also']> = {
  'application/x-ndjson': {
    schema: {
      type: 'string',
      description:
        'All matching events, one JSON object per line. The last line is the trailer ' +
        '`{"trailer":{"count":…,"firstId":…,"lastId":…,"filter":{…}}}`; `filter` has the filters of the request, by parameter. ' +
        'A response without it is incomplete.',
    },
  },
  'text/csv': {
    schema: {
      type: 'string',
      description:
        'All matching events as rows of RFC 4180, with a header row. The last row is the trailer ' +
        '`#trailer,count,firstId,lastId,filter`, followed by empty cells; the filter is JSON text. Texts that a spreadsheet program could run as a ' +
        'formula get a leading apostrophe, also after `;`, a tab or a line break. In JSON, `;` is written as `\\u003b`.',
    },
  },
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'A stream of matching events, one message per event. Its id is the id of the event and, behind a hyphen, a fingerprint of it. ' +
        'Heartbeats have only an id.',
    },
  },
}
