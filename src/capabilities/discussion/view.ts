import { jsonReply, type Reply } from '../../http/reply'
import type { Services } from '../../kernel/services'
import { toReviewerView } from '../../kernel/view/people'
import type { User } from '../../ports/users'

/** People who may approve, or were asked to. */
export function viewReviewers(users: readonly User[], { options }: Services): Reply {
  return jsonReply({ reviewers: users.map((user) => toReviewerView(user, options)) })
}
