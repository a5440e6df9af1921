import { check } from './check'
import type { ResolvedOptions } from './router-options'

/** @throws TypeError that names the option when its value is out of its range. */
export function checkValues(options: ResolvedOptions): void {
  const { basePath, requiredApprovals, linkBase, errors, editDetails, overwrites, schedule } = options
  check(
    'basePath',
    typeof basePath === 'string' && /^(?:\/[\w.~-]+)*$/.test(basePath),
    'a path such as /api/admin, without a slash at its end',
  )
  const approvals = Number.isInteger(requiredApprovals) && requiredApprovals >= 1 && requiredApprovals <= 10
  check('requiredApprovals', approvals, 'a whole number from 1 to 10')
  check(
    'linkBase',
    typeof linkBase === 'string' && !/[\s<>()]/.test(linkBase),
    'an address without blanks and brackets',
  )
  check('errors', ['respond', 'next'].includes(errors), '"respond" or "next"')
  check('editDetails', ['author', 'anyone'].includes(editDetails), '"author" or "anyone"')
  check('schedule', ['off', 'here', 'elsewhere'].includes(schedule), '"off", "here" or "elsewhere"')
  check('overwrites', ['refuse', 'allow'].includes(overwrites), '"refuse" or "allow"')
  for (const name of booleans) {
    check(name, typeof options[name] === 'boolean', 'a boolean')
  }
}

const booleans = [
  'changeRequestsEnabled',
  'stateTimestamps',
  'gravatar',
  'recordIp',
  'recordOnly',
  'adminSelfApproval',
  'recheckApprovers',
  'globalSegments',
  'emergency',
  'requireRevision',
] as const
