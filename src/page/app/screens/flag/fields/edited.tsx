import type { ComponentChildren } from 'preact'
import { namesIn } from '../../../../../domain/content/json-pointer'
import { Button } from '../../../parts/controls/button'
import { isBlank, type Json, shown } from '../../../words/json'
import { visibleJson } from '../../../words/visible'
import { focusLast } from '../../authoring/fields'
import { choose, isEditedAt, undo, wasAt } from '../model/edit'
import { type Part, useEditing } from './editing'

export interface EditedProps {
  readonly part: Part
  /** JSON pointer in the edited state. */
  readonly path: string
  /** What the field is called in a sentence, such as `rollout`. */
  readonly name: string
  /** A value in words. */
  readonly words?: (value: Json) => string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A field with what it was, an undo of its own, and both values where another user edited it too. */
export function Edited({ part, path, name, words = valueWords, class: own = '', children }: EditedProps) {
  const { change } = useEditing()
  const { edit, isNew } = part
  return (
    <div class={`edited ${own}`}>
      {children}
      {!isNew && isEditedAt(edit, path) && (
        <Was name={name} words={words(wasAt(edit, path))} onUndo={() => change((one) => undo(one, path))} />
      )}
      <Conflicts part={part} path={path} name={name} words={words} />
    </div>
  )
}

interface WasProps {
  readonly name: string
  readonly words: string
  readonly onUndo: () => void
}

/** `was 65 %`, with its undo. The focus goes to the field. */
export function Was({ name, words, onUndo }: WasProps) {
  return (
    <p class="was small">
      <span>
        was <bdi>{words}</bdi>
      </span>
      <Button
        kind="quiet"
        size="tiny"
        icon="undo"
        aria-label={`Undo ${name}, was ${words}`}
        onClick={({ currentTarget }) => {
          currentTarget.closest('.edited')?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
          onUndo()
        }}
      >
        Undo
      </Button>
    </p>
  )
}

interface RemovedProps {
  /** What is restored, in a sentence. */
  readonly name: string
  readonly onRestore: () => void
  readonly children: ComponentChildren
}

/** What was removed, with a button that restores it. The focus stays in the group. */
export function Removed({ name, onRestore, children }: RemovedProps) {
  return (
    <>
      <del>
        <span class="vh">removed: </span>
        {children}
      </del>
      <Button
        size="tiny"
        icon="undo"
        aria-label={`Restore ${name}`}
        onClick={({ currentTarget }) => {
          focusLast(currentTarget)
          onRestore()
        }}
      >
        Restore
      </Button>
    </>
  )
}

type ConflictsProps = Pick<EditedProps, 'part' | 'path' | 'name' | 'words'>

/** What both sides edited, in the field or inside it. */
export function Conflicts({ part: { conflicts }, path, name, words = valueWords }: ConflictsProps) {
  const { change } = useEditing()
  return (
    <>
      {conflicts
        .filter((one) => one.path === path || one.path.startsWith(`${path}/`))
        .map(({ path: at, own, now }) => {
          const inside = namesIn(at.slice(path.length)).join(', ')
          const label = [name, inside].filter((one) => one !== '').join(', ')
          const show = inside === '' ? words : valueWords
          return (
            <fieldset key={at} class="both small" aria-label={`${label}: edited by another user too`}>
              <p>Another user edited this too. Choose {inside && <bdi>{inside}</bdi>}:</p>
              <div class="flow">
                <Button size="tiny" onClick={() => change((edit) => choose(edit, at, 'own'))}>
                  Yours: <bdi>{show(own)}</bdi>
                </Button>
                <Button size="tiny" onClick={() => change((edit) => choose(edit, at, 'now'))}>
                  Theirs: <bdi>{show(now)}</bdi>
                </Button>
              </div>
            </fieldset>
          )
        })}
    </>
  )
}

export function valueWords(value: Json): string {
  if (isBlank(value)) return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return [value].flat().map(textOf).join(', ')
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : visibleJson(shown(value)))

/** A value that cannot be edited here. */
export function Shown({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="shown">
      <span class="muted small">{label}</span>
      <span>{typeof children === 'string' ? <bdi>{children}</bdi> : children}</span>
    </div>
  )
}
