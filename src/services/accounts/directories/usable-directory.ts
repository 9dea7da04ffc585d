import type { Actor } from '../../../domain/accounts/actor.ts'
import type { LdapProvider } from '../../../domain/accounts/provider.ts'
import { fail } from '../../../domain/errors.ts'
import { requireLdapFilter } from '../../../platform/network/ldap/ldap-client.ts'
import { isDirect, isReadable } from './directory-person.ts'

/** Refuses a directory that could let nobody in, or the wrong people. @throws INVALID_INPUT naming the field; FORBIDDEN */
export async function requireUsableDirectory(
  actor: Actor,
  provider: LdapProvider,
  before: LdapProvider | undefined,
): Promise<void> {
  const { bindDn, userFilter, groupFilter, caFile } = provider
  if (actor.kind !== 'operator' && caFile !== (before?.caFile ?? '')) {
    const advice = 'name it at the command line, "filemgr sign-in ldap set"'
    // The attack is an administrator of the page who finds out which files the machine has.
    fail('FORBIDDEN', `the file with the certificate authority cannot be set from the page; ${advice}`, {
      field: 'caFile',
    })
  }
  if (bindDn === '')
    fail('INVALID_INPUT', 'name the account that searches, or how people bind, such as uid={name},ou=people,…', {
      field: 'bindDn',
    })
  if (!isDirect(provider) && provider.secret + provider.secretFile + provider.secretVariable === '')
    fail('INVALID_INPUT', 'the account that searches needs its password', { field: 'secret' })
  // The attack: a filter without it finds the same entry for every name.
  if (!userFilter.includes('{name}'))
    fail('INVALID_INPUT', 'the filter for a person needs {name}, as in (uid={name})', { field: 'userFilter' })
  await requireLdapFilter(userFilter, 'userFilter')
  if (groupFilter !== '') {
    // Otherwise, everybody would be a member of all groups.
    if (!/\{(?:dn|name)\}/.test(groupFilter))
      fail('INVALID_INPUT', 'the filter for groups needs {dn} or {name}, as in (member={dn})', { field: 'groupFilter' })
    await requireLdapFilter(groupFilter, 'groupFilter')
  }
  for (const field of ['subjectAttribute', 'usernameClaim'] as const)
    if (!isReadable(provider[field]))
      fail('INVALID_INPUT', `${field}: ${provider[field]} may hold secrets; choose another attribute`, { field })
}
