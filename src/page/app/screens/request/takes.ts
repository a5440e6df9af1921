import { useState } from 'preact/hooks'
import { client } from '../../core/api/session'
import type { ChangeItem } from '../../words/content/items'
import type { RequestProps } from './use-request'
import { type StepAction, useStep } from './use-step'

export type Take = 'theirs' | 'ours' | 'drop'

/** The choice for each change that overwrites; a rebase sends all of them in one request. */
export interface Takes {
  readonly chosen: ReadonlyMap<number, Take>
  readonly choose: (id: number, take: Take) => void
  /** The changes that overwrite. */
  readonly all: readonly ChangeItem[]
  readonly rebase: StepAction
}

export function useTakes({ request, targets, actions }: Omit<RequestProps, 'review'>): Takes {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Take>>(new Map())
  const all = targets.flatMap(({ changes }) => changes.filter(({ fields }) => fields.some((one) => one.overwrites)))
  const rebase = useStep(actions, {
    run: (write) => {
      const changes = all.flatMap(({ id }) => {
        const take = chosen.get(id)
        return take === undefined ? [] : [{ id, take }]
      })
      return client.rebase(request, { changes }, write)
    },
    doneMessage: 'The change request was rebased. It needs new approvals.',
    updatesContent: true,
    onDone: () => setChosen(new Map()),
  })
  return { chosen, choose: (id, take) => setChosen(new Map([...chosen, [id, take]])), all, rebase }
}
