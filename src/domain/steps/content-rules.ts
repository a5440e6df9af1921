import type { Rule } from './caller-rules'

/** The validator of the host has nothing against the proposed changes. */
export const validProposal: Rule = ({ call }) => call.invalid

/** The validator of the host has nothing against the changes. */
export function valid(when: 'submit' | 'apply'): Rule {
  return ({ facts }) => facts.invalid?.[when]
}
