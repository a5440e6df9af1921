// biome-ignore-all lint/a11y/noRedundantRoles: on a phone the table is laid out otherwise, and `display` takes the roles away.
import type { ComponentChildren } from 'preact'
import type { FieldRow, Share, Side } from '../../words/fields/row'
import { points } from '../../words/numbers'
import { lazy } from '../lazy'
import { Icon } from '../marks/icon'
import { Mark } from '../marks/mark'
import type { WordDiffProps } from './differences'
import { RichText } from './rich-text'
import './field-table.css'

const WordDiff = lazy(async () => (await import('./differences')).WordDiff, WithoutMarks)

/** The text, until what marks the words is loaded. */
function WithoutMarks({ texts: [, to] }: WordDiffProps) {
  return <bdi class="text">{String(to)}</bdi>
}

export interface FieldTableProps {
  readonly rows: readonly FieldRow[]
  /** Headings of the columns. */
  readonly now: string
  readonly after: string
  /** The same on a phone, before each value. */
  readonly short?: readonly [now: string, after: string] | undefined
  /** In the cell of what comes after, such as what it was a moment ago. */
  readonly note?: ((row: FieldRow) => ComponentChildren) | undefined
  readonly id?: ((row: FieldRow) => string | undefined) | undefined
  /** One column, in which values come and go. */
  readonly unified?: boolean | undefined
}

/** Field, now, after. */
export function FieldTable({ rows, now, after, short = ['now', 'after'], note, id, unified }: FieldTableProps) {
  return (
    <table class={unified ? 'fields unified' : 'fields'} role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th class="c-field" scope="col" role="columnheader">
            <span class="vh">Field</span>
          </th>
          {!unified && (
            <th class="c-now" scope="col" role="columnheader">
              {now}
            </th>
          )}
          <th scope="col" role="columnheader">
            {unified && `${now} → `}
            {after}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr
            key={row.key}
            class={row.now === row.after ? 'same' : undefined}
            role="row"
            id={id?.(row)}
            tabIndex={id?.(row) ? -1 : undefined}
          >
            <th scope="row" role="rowheader">
              <bdi>{row.label}</bdi>
            </th>
            {!unified && (
              <td role="cell" data-l={short[0]}>
                {row.texts ? <WordDiff texts={[row.texts[0], row.texts[0]]} /> : <Now row={row} />}
              </td>
            )}
            <td role="cell" class="after" data-l={unified ? undefined : short[1]}>
              {!unified && <Icon name="arrowRight" class="to" />}
              {unified && !row.isMerged && (
                <del>
                  <span class="vh">removed: </span>
                  <Now row={row} />
                </del>
              )}{' '}
              {row.texts ? <WordDiff texts={row.texts} /> : <Value side={row.after} />}
              {row.share && <Moved share={row.share} />}
              {note?.(row)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Now({ row: { now, was } }: { readonly row: FieldRow }) {
  return (
    <>
      <Value side={now} />
      {was && (
        <small>
          was <Value side={was} /> when this was proposed
        </small>
      )}
    </>
  )
}

function Value({ side: { words, on } }: { readonly side: Side }) {
  if (on === undefined) return <RichText words={words} />
  return (
    <span class={on ? 'sw on' : 'sw'}>
      <RichText words={words} />
    </span>
  )
}

/** In which direction a percentage goes, and a bar for it. */
function Moved({ share: { from, to } }: { readonly share: Share }) {
  if (to === null) return null
  const moved = from === null ? null : points(from, to)
  return (
    <>
      {moved && (
        <span class="delta">
          <Icon name={moved.up ? 'arrowUp' : 'arrowDown'} />
          {moved.words}
        </span>
      )}
      <ShareBar from={from ?? 0} to={to} />
    </>
  )
}

function ShareBar({ from, to }: { readonly from: number; readonly to: number }) {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return (
    <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="8" rx="1" />
      <rect class="have" width={low} height="8" />
      <rect class={to > from ? 'more' : 'less'} x={low} width={high - low} height="8" />
      <rect class="tick" x={Math.min(99, Math.max(0, from - 0.5))} y="-3" width="1" height="14" />
    </svg>
  )
}

/** What a person is to look at again. */
export function ChangedMark({ children = 'Changed since you looked' }: { readonly children?: ComponentChildren }) {
  return (
    <Mark tone="new" icon="refresh">
      {children}
    </Mark>
  )
}
