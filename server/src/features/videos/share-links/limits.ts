import { defineLimit } from '../../../context/limits.ts'

/** Limits of opening share links. */
export const shareLinkLimits = defineLimit(({ config, shared, local }) => ({
  /** New viewers of a link from one network: several classes behind one address. */
  viewers: local(300, 60),
  /** Failed passwords, limited like logins. */
  ofLinkAndNetwork: shared('share_links', config.loginsPerMinute, 60),
  ofAddress: shared('share_links_of_address', config.loginsPerAddressPerMinute, 60),
}))
