import { useMe } from '../../core/api/session'
import { Icon } from './icon'

export interface SomePerson {
  readonly id: number | null
  readonly username?: string | null | undefined
}

/** The name of a person; a number where the name is gone. */
export const nameOf = ({ id, username }: SomePerson): string =>
  username || (id === null ? 'another user' : `user ${id}`)

/** The name of a person in text, isolated from the text around it in any direction. */
export const PersonName = ({ person, strong }: { readonly person: SomePerson; readonly strong?: boolean }) => (
  <bdi class={strong ? 'strong' : undefined}>{nameOf(person)}</bdi>
)

interface PersonProps {
  readonly person: SomePerson
  /** Has a tick, also in its accessible name. */
  readonly approved?: boolean | undefined
}

/** Initials in a circle. No picture is fetched: no request leaves the origin. */
export function Person({ person, approved = false }: PersonProps) {
  const me = useMe()
  const own = person.id !== null && person.id === me.id
  const name = nameOf(person)
  return (
    <span
      class={`av${own ? ' you' : ''}`}
      role="img"
      aria-label={`${name}${own ? ' (you)' : ''}${approved ? ', approved' : ''}`}
      title={name.slice(0, 200)}
    >
      {initialsOf(name)}
      {approved && <Icon name="check" />}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first = '?', last] = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  const letters = last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]]
  return letters.join('').toUpperCase()
}
