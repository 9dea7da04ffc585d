import type { Check } from './check.ts'
import { accountsCheck } from './checks/accounts.ts'
import { bodyLimitCheck } from './checks/body-limit.ts'
import { clockCheck } from './checks/clock.ts'
import { dataFolderCheck } from './checks/data-folder.ts'
import { hiddenFilesCheck } from './checks/hidden-files.ts'
import { linksCheck } from './checks/links.ts'
import { portCheck } from './checks/port.ts'
import { proxyHeadersCheck } from './checks/proxy-headers.ts'
import { publicUrlCheck } from './checks/public-url.ts'
import { rootCheck } from './checks/root.ts'
import { sharesCheck } from './checks/shares.ts'
import { signInCheck } from './checks/sign-in.ts'
import { signUpCheck } from './checks/sign-up.ts'
import { spaceCheck } from './checks/space.ts'
import { startUpValuesCheck } from './checks/start-up-values.ts'
import { storeCheck } from './checks/store.ts'
import { tlsCheck } from './checks/tls.ts'
import { toolsCheck } from './checks/tools.ts'
import { webSocketCheck } from './checks/websocket.ts'

/** All of them, what the others stand on first. */
export const CHECKS: readonly Check[] = [
  dataFolderCheck,
  storeCheck,
  startUpValuesCheck,
  spaceCheck,
  clockCheck,
  rootCheck,
  linksCheck,
  hiddenFilesCheck,
  portCheck,
  tlsCheck,
  publicUrlCheck,
  proxyHeadersCheck,
  bodyLimitCheck,
  webSocketCheck,
  toolsCheck,
  accountsCheck,
  signInCheck,
  signUpCheck,
  sharesCheck,
]
