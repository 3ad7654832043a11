// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// Money of the local chain, worth nothing. It keeps the rules of USDC that can turn a payment away:
/// EIP-3009 and EIP-2612 under a domain of version "2", each with (v, r, s) and with bytes; an
/// address with code is asked by ERC-1271 and its key, if it has one, counts for nothing (so an
/// account that delegates by EIP-7702 cannot sign); a block list; a pause.
contract TestUSD is ERC3009, Nonces, Ownable {
    error Blocked(address account);
    error Paused();
    error PermitExpired(uint256 deadline);
    error PermitNotSigned(address owner);

    event BlockListChanged(address indexed account, bool isBlocked);
    event PauseChanged(bool isPaused);

    bytes32 public constant PERMIT_TYPEHASH =
        keccak256(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
        );

    mapping(address account => bool) public isBlocked;
    bool public paused;

    constructor() ERC20("Test USD", "TUSD") EIP712("Test USD", "2") Ownable(msg.sender) {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function version() external pure returns (string memory) {
        return "2";
    }

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    // What the owner may do.

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }

    function setBlocked(address account, bool isBlocked_) external onlyOwner {
        isBlocked[account] = isBlocked_;
        emit BlockListChanged(account, isBlocked_);
    }

    function setPaused(bool isPaused) external onlyOwner {
        paused = isPaused;
        emit PauseChanged(isPaused);
    }

    // EIP-3009.

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        bytes memory signature = abi.encodePacked(r, s, v);
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        bytes32 type_ = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        _checkSigned(
            from,
            keccak256(abi.encode(type_, from, to, value, validAfter, validBefore, nonce)),
            signature
        );
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        bytes memory signature = abi.encodePacked(r, s, v);
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        bytes32 type_ = RECEIVE_WITH_AUTHORIZATION_TYPEHASH;
        _checkSigned(
            from,
            keccak256(abi.encode(type_, from, to, value, validAfter, validBefore, nonce)),
            signature
        );
        require(to == msg.sender, ERC20InvalidReceiver(to));
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    function cancelAuthorization(
        address authorizer,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        bytes32 type_ = CANCEL_AUTHORIZATION_TYPEHASH;
        _checkSigned(authorizer, keccak256(abi.encode(type_, authorizer, nonce)), signature);
        require(!paused, Paused());
        _cancelAuthorization(authorizer, nonce);
    }

    /// In seconds only. OpenZeppelin's also knows block numbers, which USDC does not.
    function _checkValidity(uint256 validAfter, uint256 validBefore) internal view override {
        require(
            block.timestamp > validAfter && block.timestamp < validBefore,
            ERC3009InvalidAuthorizationTime(validAfter, validBefore)
        );
    }

    // EIP-2612. OpenZeppelin's fixes the version "1".

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) public {
        require(block.timestamp <= deadline, PermitExpired(deadline));
        bytes32 message = keccak256(
            abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline)
        );
        require(_isSigned(owner, message, signature), PermitNotSigned(owner));
        _approve(owner, spender, value);
    }

    // The block list and the pause, for whatever moves money or lets somebody move it.

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        require(!isBlocked[msg.sender], Blocked(msg.sender));
        return super.transferFrom(from, to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        _checkMovable(from, to);
        super._update(from, to, value);
    }

    function _approve(
        address owner,
        address spender,
        uint256 value,
        bool emitEvent
    ) internal override {
        _checkMovable(owner, spender);
        super._approve(owner, spender, value, emitEvent);
    }

    function _checkMovable(address one, address other) private view {
        require(!paused, Paused());
        require(!isBlocked[one], Blocked(one));
        require(!isBlocked[other], Blocked(other));
    }

    function _checkSigned(address signer, bytes32 message, bytes memory signature) private view {
        require(_isSigned(signer, message, signature), ERC3009InvalidSignature());
    }

    function _isSigned(
        address signer,
        bytes32 message,
        bytes memory signature
    ) private view returns (bool) {
        return
            SignatureChecker.isValidSignatureNow(signer, _hashTypedDataV4(message), signature);
    }
}
