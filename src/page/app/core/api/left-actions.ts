import { currentLocation } from '../places/navigation'
import { createStore, useStore } from '../tools/store'
import type { Outcome } from './answers'
import { readAgain } from './live'
import { useSession } from './session'

/** Who pressed, and where. */
export interface Press {
  readonly user: number | null | undefined
  readonly path: string
  readonly title: string
}

/** A step whose part of the page was closed before it had an outcome. */
interface LeftAction extends Press {
  /** Undefined while it is being sent. */
  readonly outcome: Outcome | undefined
  /** Stops sending it, and forgets it. */
  readonly stop: () => void
}

const actions = createStore<readonly LeftAction[]>([])

/** Those that say more than the screen itself, the oldest first. */
export function useLeftActions(): readonly LeftAction[] {
  const { me } = useSession()
  return useStore(actions).filter(({ user }) => user === me?.id)
}

/** Shows a step until it is closed. Returns what shows its further states. */
export function followLeft(
  { user, path, title }: Press,
  stop: () => void,
): (state: { outcome?: Outcome | undefined }) => void {
  let shown: LeftAction | undefined
  const show = (next: LeftAction | undefined) => {
    actions.set([...actions.get().filter((one) => one !== shown), ...(next ? [next] : [])])
    shown = next
  }
  const report = (outcome: Outcome | undefined) => {
    const isBack = currentLocation().path === path
    // Where it was taken, the screen shows that it is done.
    const isSeen = outcome?.kind === 'done' && isBack
    if (isBack && outcome !== undefined && outcome.kind !== 'waiting') readAgain()
    show(isSeen ? undefined : { user, path, title, outcome, stop: forget })
  }
  const forget = () => {
    stop()
    show(undefined)
  }
  report(undefined)
  return ({ outcome }) => report(outcome)
}
