import { useState } from 'preact/hooks'
import { maxValues } from '../../words/fields/lists'
import { count } from '../../words/numbers'
import { comma, isList, type Mark, type ValueList, valueWords, type Words } from '../../words/spans'
import { Button } from '../controls/button'
import { withMarks } from '../marks/unseen'
import { usePrinting } from '../printing'
import './field-table.css'

interface RichTextProps {
  readonly words: Words
  /** Values that have a border each: the commas between them are only read out. */
  readonly ofList?: boolean
}

/** Words with their marks. Each piece is text, isolated from the others in any direction. */
export function RichText({ words, ofList = false }: RichTextProps) {
  return (
    <>
      {words.map((one, index) => {
        if (ofList && one === comma)
          return (
            <span key={index} class="comma">
              {one}
            </span>
          )
        if (typeof one === 'string') {
          return <bdi key={index}>{withMarks(one, index === 0 ? '' : 'x', index === words.length - 1 ? '' : 'x')}</bdi>
        }
        return isList(one) ? <Values key={index} list={one} /> : <Marked key={index} mark={one} />
      })}
    </>
  )
}

/** More values with each press. */
const step = 500

/** A list, of which a long one unfolds in steps. */
function Values({ list }: { readonly list: ValueList }) {
  const [room, setRoom] = useState(maxValues)
  const isPrinting = usePrinting()
  const { length } = list.values
  const rest = length - room
  return (
    <>
      <RichText words={valueWords(list, isPrinting ? length : room, length > maxValues)} ofList />
      {length > maxValues && !isPrinting && (
        <>
          {' '}
          <Button size="tiny" onClick={() => setRoom(rest > 0 ? room + step : maxValues)}>
            {rest > 0 ? `Show ${count(Math.min(step, rest))} more of ${count(rest)}` : 'Show fewer'}
          </Button>
        </>
      )}
    </>
  )
}

function Marked({ mark: { text, as } }: { readonly mark: Mark }) {
  switch (as) {
    case 'value':
      return <bdi class="val">{text}</bdi>
    case 'added':
      return (
        <ins class="val add">
          <span class="vh">added: </span>+ <bdi>{text}</bdi>
        </ins>
      )
    case 'removed':
      return (
        <del class="val gone">
          <span class="vh">removed: </span>
          <bdi>{text}</bdi>
        </del>
      )
    case 'muted':
      return <span class="muted thin">{text}</span>
    case 'text':
      return <bdi>{text}</bdi>
    default:
      return <bdi class={as === 'flag' ? 'flag' : 'strong'}>{text}</bdi>
  }
}
