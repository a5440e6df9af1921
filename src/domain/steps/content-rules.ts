import type { Rule } from './caller-rules'

/** The validator of the host has nothing against the proposed changes. */
export const validProposal: Rule = ({ call }) => call.invalid

/** No change alters a segment that other projects use as well: their people are not asked. */
export const segmentsInProject: Rule = ({ facts }) => (facts.options.globalSegments ? undefined : facts.foreignSegments)

/** The validator of the host has nothing against the changes. */
export function valid(when: 'submit' | 'apply'): Rule {
  return ({ facts }) => facts.invalid?.[when]
}
