000000000002fbd0 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF>:
   2fbd0:	push   %rbp
   2fbd1:	mov    %rsp,%rbp
   2fbd4:	push   %r15
   2fbd6:	push   %r14
   2fbd8:	push   %r13
   2fbda:	push   %rbx
   2fbdb:	sub    $0xc0,%rsp
   2fbe2:	mov    0x10(%r13),%rcx
   2fbe6:	mov    %rcx,-0x28(%rbp)
   2fbea:	lea    0x1(%rcx),%r8
   2fbee:	mov    0x0(%r13),%rdx
   2fbf2:	mov    0x8(%r13),%rbx
   2fbf6:	mov    %r8,%rax
   2fbf9:	test   %rdx,%rdx
   2fbfc:	mov    %rdx,-0x58(%rbp)
   2fc00:	je     2fce6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x116>
   2fc06:	mov    %rbx,%rcx
   2fc09:	sub    %r8,%rcx
   2fc0c:	mov    %r8,%rax
   2fc0f:	cmp    $0x8,%rcx
   2fc13:	jl     2fca0 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0xd0>
   2fc19:	mov    -0x28(%rbp),%rax
   2fc1d:	not    %rax
   2fc20:	mov    %rdx,%r15
   2fc23:	mov    %r8,-0x50(%rbp)
   2fc27:	lea    (%rdx,%r8,1),%rcx
   2fc2b:	movabs $0x202020202020202,%rdx
   2fc35:	movabs $0x5c5c5c5c5c5c5c5c,%rsi
   2fc3f:	movabs $0xdedededededededf,%rdi
   2fc49:	movabs $0xfefefefefefefeff,%r8
   2fc53:	movabs $0x8080808080808080,%r9
   2fc5d:	nopl   (%rax)
   2fc60:	mov    (%rcx),%r11
   2fc63:	mov    %r11,%r14
   2fc66:	xor    %rdx,%r14
   2fc69:	add    %rdi,%r14
   2fc6c:	mov    %r11,%r10
   2fc6f:	xor    %rsi,%r10
   2fc72:	add    %r8,%r10
   2fc75:	or     %r14,%r10
   2fc78:	or     %r11,%r10
   2fc7b:	and    %r9,%r10
   2fc7e:	jne    2fcd1 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x101>
   2fc80:	add    $0x8,%rcx
   2fc84:	lea    (%rbx,%rax,1),%r10
   2fc88:	add    $0xfffffffffffffff8,%r10
   2fc8c:	add    $0xfffffffffffffff8,%rax
   2fc90:	cmp    $0x7,%r10
   2fc94:	jg     2fc60 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x90>
   2fc96:	neg    %rax
   2fc99:	mov    %r15,%rdx
   2fc9c:	mov    -0x50(%rbp),%r8
   2fca0:	cmp    %rbx,%rax
   2fca3:	jge    2fce6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x116>
   2fca5:	data16 cs nopw 0x0(%rax,%rax,1)
   2fcb0:	movzbl (%rdx,%rax,1),%ecx
   2fcb4:	cmp    $0x20,%cl
   2fcb7:	jl     2fce6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x116>
   2fcb9:	cmp    $0x22,%ecx
   2fcbc:	je     2fce6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x116>
   2fcbe:	cmp    $0x5c,%ecx
   2fcc1:	je     2fce6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x116>
   2fcc3:	inc    %rax
   2fcc6:	cmp    %rax,%rbx
   2fcc9:	jne    2fcb0 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0xe0>
   2fccb:	mov    %rbx,0x10(%r13)
   2fccf:	jmp    2fcf9 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x129>
   2fcd1:	tzcnt  %r10,%rcx
   2fcd6:	shr    $0x3,%ecx
   2fcd9:	sub    %rax,%rcx
   2fcdc:	mov    %rcx,%rax
   2fcdf:	mov    %r15,%rdx
   2fce2:	mov    -0x50(%rbp),%r8
   2fce6:	mov    %rax,0x10(%r13)
   2fcea:	cmp    %rbx,%rax
   2fced:	jge    2fcf9 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x129>
   2fcef:	cmpb   $0x22,(%rdx,%rax,1)
   2fcf3:	jne    2fcf9 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x129>
   2fcf5:	xor    %eax,%eax
   2fcf7:	jmp    2fd18 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x148>
   2fcf9:	mov    %r8,%r15
   2fcfc:	mov    %r13,%r14
   2fcff:	call   2e010 <$s11PosternBase10JSONReaderV11readSpecial33_C19D9529D024E8203A29C53B14D3E313LLSbyAA9JSONErrorVYKF>
   2fd04:	test   %r12,%r12
   2fd07:	je     2fd12 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x142>
   2fd09:	mov    %rdx,-0x28(%rbp)
   2fd0d:	jmp    302e2 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x712>
   2fd12:	mov    %r14,%r13
   2fd15:	mov    %r15,%r8
   2fd18:	mov    0x28(%r13),%rdi
   2fd1c:	cmp    0x20(%r13),%rdi
   2fd20:	jge    2fdf6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x226>
   2fd26:	mov    0x10(%r13),%r15
   2fd2a:	mov    0x18(%r13),%rcx
   2fd2e:	mov    %rdi,%rdx
   2fd31:	shl    $0x4,%rdx
   2fd35:	lea    0x1(%rdi),%rsi
   2fd39:	movb   $0x2,(%rcx,%rdx,1)
   2fd3d:	and    $0x1,%al
   2fd3f:	mov    %al,0x1(%rcx,%rdx,1)
   2fd43:	mov    %r8d,0x4(%rcx,%rdx,1)
   2fd48:	mov    %r15d,0x8(%rcx,%rdx,1)
   2fd4d:	mov    %esi,0xc(%rcx,%rdx,1)
   2fd51:	mov    %rsi,0x28(%r13)
   2fd55:	lea    0x1(%r15),%r14
   2fd59:	mov    %r14,0x10(%r13)
   2fd5d:	mov    0x30(%r13),%r10
   2fd61:	mov    0x48(%r13),%rax
   2fd65:	movzbl 0x1(%rcx,%rdx,1),%esi
   2fd6a:	shl    $0x3,%rax
   2fd6e:	lea    (%rax,%rax,2),%r11
   2fd72:	or     -0x7(%r10,%r11,1),%sil
   2fd77:	mov    -0xc(%r10,%r11,1),%eax
   2fd7c:	cmp    $0x11,%eax
   2fd7f:	setae  %r8b
   2fd83:	or     %sil,%r8b
   2fd86:	test   $0x1,%r8b
   2fd8a:	mov    -0x58(%rbp),%r9
   2fd8e:	je     2fe44 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x274>
   2fd94:	cmp    %eax,0x40(%r13)
   2fd98:	jae    2ff75 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x3a5>
   2fd9e:	mov    -0x28(%rbp),%rax
   2fda2:	cmp    %rax,%rbx
   2fda5:	cmovge %rax,%rbx
   2fda9:	test   %rbx,%rbx
   2fdac:	js     30323 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x753>
   2fdb2:	je     301d6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x606>
   2fdb8:	neg    %rbx
   2fdbb:	mov    $0x1,%eax
   2fdc0:	xor    %edx,%edx
   2fdc2:	mov    $0x1,%ecx
   2fdc7:	jmp    2fde4 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x214>
   2fdc9:	nopl   0x0(%rax)
   2fdd0:	lea    (%rbx,%rax,1),%rsi
   2fdd4:	inc    %rsi
   2fdd7:	inc    %rax
   2fdda:	cmp    $0x1,%rsi
   2fdde:	je     301dd <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x60d>
   2fde4:	cmpb   $0xa,-0x1(%r9,%rax,1)
   2fdea:	jne    2fdd0 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x200>
   2fdec:	inc    %rcx
   2fdef:	mov    %rax,%rdx
   2fdf2:	jno    2fdd0 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x200>
   2fdf4:	ud2
   2fdf6:	movb   $0xe,-0x48(%rbp)
   2fdfa:	movq   $0x0,-0x40(%rbp)
   2fe02:	movq   $0x1,-0x38(%rbp)
   2fe0a:	movq   $0x1,-0x30(%rbp)
   2fe12:	call   2e430 <$s11PosternBase9JSONErrorVACs5ErrorAAWl>
   2fe17:	lea    0x148bfa(%rip),%rsi        # 178a18 <$s11PosternBase9JSONErrorVN>
   2fe1e:	lea    -0x48(%rbp),%rdi
   2fe22:	mov    %rax,%rdx
   2fe25:	call   23810 <swift_willThrowTypedImpl@plt>
   2fe2a:	mov    $0x1,%ecx
   2fe2f:	mov    $0xe,%al
   2fe31:	movq   $0x0,-0x28(%rbp)
   2fe39:	mov    $0x1,%r8d
   2fe3f:	jmp    302e2 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x712>
   2fe44:	mov    0x4(%rcx,%rdx,1),%esi
   2fe48:	mov    0x8(%rcx,%rdx,1),%r8d
   2fe4d:	xor    %ecx,%ecx
   2fe4f:	mov    %r8d,%eax
   2fe52:	mov    $0x0,%edx
   2fe57:	sub    %esi,%eax
   2fe59:	je     2fe6c <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x29c>
   2fe5b:	movzbl (%r9,%rsi,1),%ecx
   2fe60:	movzbl -0x1(%r9,%r8,1),%esi
   2fe66:	lea    (%rcx,%rcx,4),%edx
   2fe69:	lea    (%rsi,%rsi,2),%ecx
   2fe6c:	lea    (%rcx,%rax,8),%ecx
   2fe6f:	sub    %eax,%ecx
   2fe71:	add    %edx,%ecx
   2fe73:	mov    $0x1,%edx
   2fe78:	shl    %cl,%rdx
   2fe7b:	mov    -0x18(%r10,%r11,1),%rsi
   2fe80:	bt     %rcx,%rsi
   2fe84:	mov    %r14,%rax
   2fe87:	mov    %rbx,%r8
   2fe8a:	jae    2ffb6 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x3e6>
   2fe90:	mov    %rsi,-0x60(%rbp)
   2fe94:	mov    %rdx,-0x68(%rbp)
   2fe98:	mov    %r12,-0x88(%rbp)
   2fe9f:	mov    %r10,-0x78(%rbp)
   2fea3:	mov    %r11,-0x70(%rbp)
   2fea7:	mov    -0x10(%r10,%r11,1),%esi
   2feac:	movups 0x0(%r13),%xmm0
   2feb1:	movups 0x10(%r13),%xmm1
   2feb6:	movups 0x20(%r13),%xmm2
   2febb:	movups 0x30(%r13),%xmm3
   2fec0:	movaps %xmm0,-0xe0(%rbp)
   2fec7:	mov    %r13,-0x80(%rbp)
   2fecb:	movups 0x40(%r13),%xmm0
   2fed0:	movaps %xmm0,-0xa0(%rbp)
   2fed7:	movaps %xmm3,-0xb0(%rbp)
   2fede:	movaps %xmm2,-0xc0(%rbp)
   2fee5:	movaps %xmm1,-0xd0(%rbp)
   2feec:	mov    -0xe0(%rbp),%rax
   2fef3:	mov    %rax,-0x58(%rbp)
   2fef7:	mov    -0xd8(%rbp),%rax
   2fefe:	mov    %rax,-0x50(%rbp)
   2ff02:	lea    -0xe0(%rbp),%r13
   2ff09:	call   30ba0 <$s11PosternBase10JSONReaderV7isKnown33_FB58AEF23915A135792B4B0DEF8DDB73LL_5sinceSbSi_SitF>
   2ff0e:	test   $0x1,%al
   2ff10:	je     2ff8c <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x3bc>
   2ff12:	mov    -0x28(%rbp),%rcx
   2ff16:	mov    -0x50(%rbp),%r8
   2ff1a:	cmp    %rcx,%r8
   2ff1d:	cmovge %rcx,%r8
   2ff21:	test   %r8,%r8
   2ff24:	js     30329 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x759>
   2ff2a:	mov    -0x58(%rbp),%rdi
   2ff2e:	je     30232 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x662>
   2ff34:	neg    %r8
   2ff37:	mov    $0x1,%eax
   2ff3c:	xor    %edx,%edx
   2ff3e:	mov    $0x1,%ecx
   2ff43:	jmp    2ff64 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x394>
   2ff45:	data16 cs nopw 0x0(%rax,%rax,1)
   2ff50:	lea    (%r8,%rax,1),%rsi
   2ff54:	inc    %rsi
   2ff57:	inc    %rax
   2ff5a:	cmp    $0x1,%rsi
   2ff5e:	je     30239 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x669>
   2ff64:	cmpb   $0xa,-0x1(%rdi,%rax,1)
   2ff69:	jne    2ff50 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x380>
   2ff6b:	inc    %rcx
   2ff6e:	mov    %rax,%rdx
   2ff71:	jno    2ff50 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x380>
   2ff73:	ud2
   2ff75:	movb   $0x1,-0x7(%r10,%r11,1)
   2ff7b:	mov    %r14,-0x28(%rbp)
   2ff7f:	mov    %rbx,%r8
   2ff82:	cmp    %rbx,%r14
   2ff85:	jl     2ffc7 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x3f7>
   2ff87:	jmp    30020 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x450>
   2ff8c:	mov    -0xd0(%rbp),%rax
   2ff93:	mov    -0x88(%rbp),%r12
   2ff9a:	mov    -0x58(%rbp),%r9
   2ff9e:	mov    -0x80(%rbp),%r13
   2ffa2:	mov    -0x50(%rbp),%r8
   2ffa6:	mov    -0x78(%rbp),%r10
   2ffaa:	mov    -0x70(%rbp),%r11
   2ffae:	mov    -0x68(%rbp),%rdx
   2ffb2:	mov    -0x60(%rbp),%rsi
   2ffb6:	or     %rsi,%rdx
   2ffb9:	mov    %rdx,-0x18(%r10,%r11,1)
   2ffbe:	mov    %rax,-0x28(%rbp)
   2ffc2:	cmp    %rbx,%r14
   2ffc5:	jge    30020 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x450>
   2ffc7:	add    $0x2,%r15
   2ffcb:	mov    $0x1,%eax
   2ffd0:	sub    %rbx,%rax
   2ffd3:	movabs $0x100002600,%rcx
   2ffdd:	nopl   (%rax)
   2ffe0:	movzbl -0x1(%r9,%r15,1),%edx
   2ffe6:	cmp    $0x21,%edx
   2ffe9:	jae    300ce <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x4fe>
   2ffef:	jae    30176 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x5a6>
   2fff5:	mov    %edx,%edx
   2fff7:	bt     %rdx,%rcx
   2fffb:	jae    30176 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x5a6>
   30001:	inc    %r14
   30004:	mov    %r15,0x10(%r13)
   30008:	lea    (%rax,%r15,1),%rdx
   3000c:	inc    %rdx
   3000f:	inc    %r15
   30012:	mov    %r14,-0x28(%rbp)
   30016:	cmp    $0x2,%rdx
   3001a:	jne    2ffe0 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x410>
   3001c:	mov    %rbx,-0x28(%rbp)
   30020:	mov    -0x28(%rbp),%rax
   30024:	cmp    %rax,%r8
   30027:	cmovge %rax,%r8
   3002b:	test   %r8,%r8
   3002e:	js     3031d <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x74d>
   30034:	je     30072 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x4a2>
   30036:	neg    %r8
   30039:	mov    $0x1,%eax
   3003e:	xor    %edx,%edx
   30040:	mov    $0x1,%ecx
   30045:	jmp    30060 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x490>
   30047:	nopw   0x0(%rax,%rax,1)
   30050:	lea    (%r8,%rax,1),%rsi
   30054:	inc    %rsi
   30057:	inc    %rax
   3005a:	cmp    $0x1,%rsi
   3005e:	je     30079 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x4a9>
   30060:	cmpb   $0xa,-0x1(%r9,%rax,1)
   30066:	jne    30050 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x480>
   30068:	inc    %rcx
   3006b:	mov    %rax,%rdx
   3006e:	jno    30050 <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x480>
   30070:	ud2
   30072:	mov    $0x1,%ecx
   30077:	xor    %edx,%edx
   30079:	mov    -0x28(%rbp),%rax
   3007d:	sub    %rdx,%rax
   30080:	jo     3031f <$s11PosternBase10JSONReaderV8readName33_FB58AEF23915A135792B4B0DEF8DDB73LLs5UInt8VyAA9JSONErrorVYKF+0x74f>
   30086:	inc    %rax
