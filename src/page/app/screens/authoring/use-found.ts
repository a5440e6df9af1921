import { useEffect, useState } from 'preact/hooks'
import { authoring } from '../../core/api/authoring'

interface Place {
  readonly project: string
  readonly environment: string
}

type Search<Found> = (text: string, options: { readonly signal: AbortSignal }) => Promise<Found>

/** What a search finds for the text, a moment after the last key; what it found before stays until then. */
function useFound<Found>(text: string, { project, environment }: Place, search: Search<Found>): Found | undefined {
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    if (text === '') return
    const own = new AbortController()
    const timer = setTimeout(() => {
      // Without suggestions the name is typed.
      search(text.slice(0, 100), own).then(setFound, () => undefined)
    }, 200)
    return () => {
      clearTimeout(timer)
      own.abort()
    }
  }, [project, environment, text])
  return found
}

const none: readonly never[] = []

/** Flags to choose from; none where the host cannot search, so that the name is typed. */
export function useFlagNames(place: Place, text: string): readonly string[] {
  const search: Search<readonly string[]> = async (typed, { signal }) => {
    return (await authoring.searchFlags(place.project, place.environment, typed, { signal })).body.flags ?? none
  }
  return useFound(text, place, search) ?? none
}

/** Segments to choose from; none where the host cannot search, so that the id is typed. */
export function useSegments(place: Place, text: string): readonly { readonly id: number; readonly name: string }[] {
  const search = async (typed: string, { signal }: { readonly signal: AbortSignal }) => {
    return (await authoring.searchSegments(place.project, place.environment, typed, { signal })).body.segments ?? none
  }
  return useFound(text, place, search) ?? none
}
