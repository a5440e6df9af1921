/** The body of a request that proposes one change, about 400 bytes. */
function change(n) {
  return JSON.stringify({
    action: 'addStrategy',
    feature: `checkout-${n % 5}`,
    payload: {
      name: 'flexibleRollout',
      title: `rollout ${n % 100}`,
      constraints: [
        {
          contextName: 'userId',
          operator: 'IN',
          values: ['user-1021', 'user-1044', 'user-2310', 'user-7781'],
          inverted: false,
          caseInsensitive: false,
        },
      ],
      parameters: { groupId: 'checkout', rollout: String(n % 101), stickiness: 'default' },
      segments: [4, 11],
    },
  })
}

module.exports = { change }
