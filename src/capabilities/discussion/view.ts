import { jsonReply, type Reply } from '../../http/reply'
import type { RouteServices } from '../../http/route-services'
import { toReviewerView } from '../../kernel/view/people'
import type { User } from '../../ports/users'

/** People who may approve, or were asked to. */
export function viewReviewers(users: readonly User[], { settings }: RouteServices): Reply {
  return jsonReply({ reviewers: users.map((user) => toReviewerView(user, settings)) })
}
