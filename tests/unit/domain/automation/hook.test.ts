import { describe, expect, it } from 'vitest'
import { joinCommand, splitCommand } from '../../../../src/domain/text/command-words.ts'
import { hookArguments, parseHookLine } from '../../../../src/domain/automation/hook.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { containing } from '../../../helpers/texts.ts'

const textsOf = (line: string) => splitCommand(line).map(({ text }) => text)
const VALUES = {
  FILE: '/srv/$(touch owned); "a" \'b\'',
  SCOPE: '/',
  TRIGGER: 'after_upload',
  USERNAME: 'ann',
  DESTINATION: '/srv',
  VISITOR: '',
}

describe('a command line', () => {
  it.each([
    ['ls -l', ['ls', '-l']],
    ['  a\tb\nc ', ['a', 'b', 'c']],
    [`a "b c" 'd e' f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`"a"'b'c`, ['abc']],
    [`'' ""`, ['', '']],
    [String.raw`'a\b' "c\"d"`, [String.raw`a\b`, 'c"d']],
    ['a # b c', ['a']],
    ['a#b', ['a#b']],
    ['a # b\nc', ['a', 'c']],
    ['# only a comment', []],
    ['', []],
    ['a \\\nb', ['a', 'b']],
  ])('%j is the words %j', (line, words) => {
    expect(textsOf(line)).toEqual(words)
  })

  it('with an unclosed quote is refused with the message that old clients expect', () => {
    expect(() => splitCommand("echo 'a")).toThrow('EOF found when expecting closing quote')
    expect(() => splitCommand('echo \\')).toThrow('EOF found after escape character')
  })

  it.each([[['a b', "c'd", '', '$FILE', '"', '&', '#x', '\\']], [['/usr/bin/x', '--a=b,c']]])(
    'made of %j is split into them again',
    (words) => {
      expect(textsOf(joinCommand(words))).toEqual(words)
    },
  )
})

describe('the line of a hook', () => {
  it.each([
    ['notify --quiet', ['notify', '--quiet'], true],
    ['notify &', ['notify'], false],
    ["notify 'a & b'", ['notify', 'a & b'], true],
    ['notify price$', ['notify', 'price$'], true],
    ['sh /opt/script.sh $FILE', ['sh', '/opt/script.sh', '$FILE'], true],
  ])('%j runs %j', (line, argv, waits) => {
    expect(parseHookLine(line)).toEqual({ argv, waits })
  })

  it.each([
    ...['a | b', 'a; b', 'a && b', 'a > /tmp/x', 'a < b', 'a `id`', 'a $(id)', 'a "$(id)"', 'a (b)'],
    ...['a "see $FILE"', 'a $FILE.bak', 'a "${FILE}x"', 'a $HOME', 'a ${PATH}'],
    ...["sh -c 'id'", 'bash -xc id', '/bin/sh -e -c id', 'env sh -c id', 'busybox sh -c id', 'cmd.exe /c dir'],
  ])('CVE-2026-35585: %j, which only a shell could run, is refused with the advice to write a script', (line) => {
    expect(() => parseHookLine(line)).toThrow(errorLike('INVALID_INPUT', containing('script file')))
  })

  it.each(['', '  ', '# nothing', '&', '""', '$FILE', 'a\0b', "a 'b"])('%j names no program', (line) => {
    expect(() => parseHookLine(line)).toThrow(errorLike('INVALID_INPUT'))
  })

  it.each(['$FILE', '${FILE}', '"$FILE"', "'$FILE'"])(
    'CVE-2026-35585: %s is one argument whatever a file is called',
    (word) => {
      const command = parseHookLine(`scan --file ${word}`)
      expect(hookArguments(command, VALUES)).toEqual(['scan', '--file', VALUES.FILE])
    },
  )

  it('does not hand on a name that a program would take for an option', () => {
    const command = parseHookLine('notify $USERNAME')
    expect(() => hookArguments(command, { ...VALUES, USERNAME: '--output=/etc/x' })).toThrow(errorLike('INVALID_INPUT'))
  })
})
