import { defineLimit } from '../../../context/limits.ts'

/** Failed passwords of share links, limited like logins. */
export const shareLinkLimits = defineLimit(({ config, shared }) => ({
  ofLinkAndNetwork: shared('share_links', config.loginsPerMinute, 60),
  ofAddress: shared('share_links_of_address', config.loginsPerAddressPerMinute, 60),
}))
