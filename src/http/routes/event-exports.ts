import type { Route } from './route'

type MediaTypes = NonNullable<Route['answer']['also']>

/** The formats that a client gets by naming them in `Accept`. */
export const exportMediaTypes: MediaTypes = {
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
}
