import { type ComponentChildren, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { client } from '../../../../core/api/session'
import type { ChangeItem } from '../../../../words/content/items'
import { useRequestContext } from '../../model/context'
import { type StepAction, useStep } from '../../model/use-step'

export type Take = 'theirs' | 'ours' | 'drop'

interface Takes {
  readonly of: (id: number) => Take | undefined
  readonly choose: (id: number, take: Take) => void
  /** The changes that overwrite and are not decided on. */
  readonly open: readonly ChangeItem[]
  readonly all: readonly ChangeItem[]
  readonly rebase: StepAction<[]>
}

const context = createContext<Takes | null>(null)

/** A rebase decides on all overwrites in one request, so the choices are stored together. */
export function TakesProvider({ children }: { readonly children: ComponentChildren }) {
  const { content } = useRequestContext()
  const [chosen, setChosen] = useState<ReadonlyMap<number, Take>>(new Map())
  const all = content.targets.flatMap(({ changes }) => changes.filter(isOverwriting))
  const rebase = useStep({
    run: ({ place }, write) => {
      const changes = all.flatMap(({ id }) => {
        const take = chosen.get(id)
        return take === undefined ? [] : [{ id, take }]
      })
      return client.rebase(place, { changes }, write)
    },
    said: 'The change request was rebased. It needs new approvals.',
    adopts: true,
    onDone: () => setChosen(new Map()),
  })
  const takes: Takes = {
    of: (id) => chosen.get(id),
    choose: (id, take) => setChosen(new Map([...chosen, [id, take]])),
    open: all.filter(({ id }) => !chosen.has(id)),
    all,
    rebase,
  }
  return <context.Provider value={takes}>{children}</context.Provider>
}

function isOverwriting({ fields }: ChangeItem): boolean {
  return fields.some(({ overwrites }) => overwrites)
}

export function useTakes(): Takes {
  const found = useContext(context)
  if (found === null) throw new Error('There is no list of changes around.')
  return found
}
