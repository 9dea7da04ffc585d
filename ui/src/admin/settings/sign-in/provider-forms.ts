import type { ComponentType } from 'react'
import type { ProviderType } from '../../../../../src/domain/accounts/provider.ts'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { MessageId } from '../../../i18n/use-text.tsx'
import { LdapForm } from './ldap-form.tsx'
import { OidcForm } from './oidc-form.tsx'
import type { ProviderFormProps } from './use-providers.ts'

interface KnownType {
  readonly type: ProviderType
  readonly name: MessageId
  readonly icon: IconName
  readonly Form: ComponentType<ProviderFormProps>
}

/** What kinds of providers there are, each with a form of its own. */
export const PROVIDER_FORMS: readonly KnownType[] = [
  { type: 'oidc', name: 'providers.oidc', icon: 'sso', Form: OidcForm },
  { type: 'ldap', name: 'directories.type', icon: 'directory', Form: LdapForm },
]
