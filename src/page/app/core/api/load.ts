import { type Loaded, useQuery } from './query'

export type { Loaded }

/** For the request screen, until it names its queries itself. */
export const useLoaded = <T>(key: string, load: Parameters<typeof useQuery<T>>[1]): Loaded<T> => useQuery([key], load)
