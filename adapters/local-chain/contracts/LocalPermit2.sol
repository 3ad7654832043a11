// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// What the x402 proxies call of Permit2, with the names and the encoding of the original.
interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// Stands at the address of Permit2 on the local chain and does what x402 needs of it: transfers by
/// signature with a witness. It has neither constructor nor immutables, so its code can simply be
/// put there.
contract LocalPermit2 is IPermit2 {
    using SafeERC20 for IERC20;

    error InvalidAmount(uint256 maxAmount);
    error InvalidContractSignature();
    error InvalidNonce();
    error InvalidSignature();
    error InvalidSignatureLength();
    error InvalidSigner();
    error SignatureExpired(uint256 signatureDeadline);

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH =
        keccak256("TokenPermissions(address token,uint256 amount)");
    string private constant WITNESS_TYPE_BEGIN =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";

    /// 256 nonces in each word.
    mapping(address owner => mapping(uint256 word => uint256 bits)) public nonceBitmap;

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 name = keccak256("Permit2");
        return keccak256(abi.encode(DOMAIN_TYPEHASH, name, block.chainid, address(this)));
    }

    function invalidateUnorderedNonces(uint256 word, uint256 mask) external {
        nonceBitmap[msg.sender][word] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, word, mask);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        uint256 amount = transferDetails.requestedAmount;
        require(block.timestamp <= permit.deadline, SignatureExpired(permit.deadline));
        require(amount <= permit.permitted.amount, InvalidAmount(permit.permitted.amount));
        _useNonce(owner, permit.nonce);
        bytes32 message = keccak256(
            abi.encode(
                keccak256(abi.encodePacked(WITNESS_TYPE_BEGIN, witnessTypeString)),
                keccak256(abi.encode(TOKEN_PERMISSIONS_TYPEHASH, permit.permitted)),
                msg.sender,
                permit.nonce,
                permit.deadline,
                witness
            )
        );
        _checkSigned(
            owner,
            keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message)),
            signature
        );
        IERC20(permit.permitted.token).safeTransferFrom(owner, transferDetails.to, amount);
    }

    function _useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 word = nonce >> 8;
        require(nonceBitmap[owner][word] & bit == 0, InvalidNonce());
        nonceBitmap[owner][word] |= bit;
    }

    /// Like the original it takes signatures of 64 bytes too, and an s in its upper half.
    function _checkSigned(address owner, bytes32 digest, bytes calldata signature) private view {
        if (owner.code.length > 0) {
            bytes4 answer = IERC1271(owner).isValidSignature(digest, signature);
            require(answer == IERC1271.isValidSignature.selector, InvalidContractSignature());
            return;
        }
        bytes32 r;
        bytes32 s;
        uint8 v;
        if (signature.length == 65) {
            (r, s) = abi.decode(signature, (bytes32, bytes32));
            v = uint8(signature[64]);
        } else if (signature.length == 64) {
            (r, s) = abi.decode(signature, (bytes32, bytes32));
            v = uint8(uint256(s) >> 255) + 27;
            s = bytes32((uint256(s) << 1) >> 1);
        } else {
            revert InvalidSignatureLength();
        }
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0), InvalidSignature());
        require(signer == owner, InvalidSigner());
    }
}
