import type {
  Inspected,
  InspectedChangeRequest,
  InspectedConsumer,
  InspectedCounts,
  InspectedEvent,
  InspectionPage,
  InspectionPart,
  StorageInspection,
} from '../ports/storage/inspection'

/** What a storage has, in pages of bounded size. */
export type Reader = {
  readonly [Part in InspectionPart]: () => AsyncGenerator<readonly Items[Part][]>
}

interface Items {
  readonly changeRequests: InspectedChangeRequest
  readonly events: InspectedEvent
  readonly counts: InspectedCounts
  readonly consumers: InspectedConsumer
}

/** Other work runs between pages. */
export const pageBounds = { limit: 200, bytes: 2 ** 20 }

export function inspectionReader(inspect: StorageInspection): Reader {
  return {
    changeRequests: () => eachPage((page: InspectionPage<number>) => inspect.changeRequests(page)),
    events: () => eachPage((page: InspectionPage<number>) => inspect.events(page)),
    counts: () => eachPage((page: InspectionPage<string>) => inspect.counts(page)),
    consumers: () => eachPage((page: InspectionPage<string>) => inspect.consumers(page)),
  }
}

async function* eachPage<Item, After>(
  read: (page: InspectionPage<After>) => Promise<Inspected<Item, After>>,
): AsyncGenerator<readonly Item[]> {
  let after: After | null = null
  do {
    const { items, next }: Inspected<Item, After> = await read({ after, ...pageBounds })
    if (items.length > 0) yield items
    after = next
  } while (after !== null)
}
