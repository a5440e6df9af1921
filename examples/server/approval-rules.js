/** Which changes need more approvals than the minimum of their environment. */
const approvalRules = [
  {
    name: 'payments owners',
    when: { features: ['pay*'] },
    approvals: 1,
    from: { groups: ['payments'] },
  },
  {
    name: 'two for what is archived',
    when: { environments: ['production'], actions: ['archiveFeature'] },
    approvals: 2,
  },
]

module.exports = { approvalRules }
