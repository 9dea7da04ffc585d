import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../../../../src/domain/access/permissions.ts'
import { readHookAnswer } from '../../../../../src/services/accounts/auth/sign-in-program.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'

describe('what a sign-in program prints', () => {
  it('is read in lines of key=value, with any line ends and spaces around', () => {
    const output = [
      'some chatter',
      ' hook.action = auth ',
      'user.scope=/teams/a=b',
      'user.locale=fr',
      'user.viewMode=list',
      'user.singleClick=true',
      'user.redirectAfterCopyMove=TRUE',
      'user.hideDotfiles=false',
      'user.sorting.by=size',
      'user.commands=git  ls',
      'user.perm.create=true',
      'user.perm.delete=yes',
      'user.password=stolen',
      'user.id=1',
    ]
    expect(readHookAnswer(output.join('\r\n'))).toEqual({
      action: 'auth',
      fields: {
        scope: '/teams/a=b',
        locale: 'fr',
        viewMode: 'list',
        singleClick: true,
        redirectAfterCopyMove: false,
        hideDotfiles: false,
        sorting: { by: 'size', asc: undefined },
        commands: ['git', 'ls'],
        perm: { create: true, delete: false },
      },
    })
  })

  it('gives an administrator all permissions', () => {
    const answer = readHookAnswer('hook.action=auth\nuser.perm.admin=true\nuser.perm.create=false')
    expect(answer).toEqual({ action: 'auth', fields: { perm: ALL_PERMISSIONS } })
  })

  it('may block, or pass the question on to the stored password', () => {
    expect(readHookAnswer('hook.action=block\n')).toEqual({ action: 'block' })
    expect(readHookAnswer('hook.action=pass\nuser.perm.admin=true')).toEqual({ action: 'pass' })
  })

  it.each(['', 'hook.action=', 'hook.action=allow', 'HOOK.ACTION=auth', 'auth'])(
    'is refused when it decides nothing: "%s"',
    (text) => {
      expect(() => readHookAnswer(text)).toThrow(errorLike('INTERNAL'))
    },
  )
})
